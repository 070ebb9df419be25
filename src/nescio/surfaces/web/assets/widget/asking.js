// How is the server asked? By fetch, one question at a time; whatever goes wrong is a Problem with words for people.

const PATIENCE_MS = 20000; // twice what the server allows itself for one request
const REQUEST = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-cache" };

class Problem extends Error {
  constructor(message, hint, code, status = 0, wait = 0) {
    super(message);
    Object.assign(this, { hint, code, status, wait });
  }
}

class Service {
  constructor(base, words) {
    this.base = base;
    this.words = words;
    this.about = null;
  }

  /** Questions are sent in the body, so that they stand in no log of addresses on the way. */
  ask(question, view, signal) {
    return this.send("v1/ask", { question, display: true, ...view.body() }, signal);
  }

  /** What is typed is sent in the body for the same reason. Of a server that cannot do it, it is asked once. */
  async suggest(typed, view, signal) {
    if (this.isOlder) return [];
    try {
      return (await this.send("v1/suggest", { typed, ...view.body() }, signal)).suggestions;
    } catch (error) {
      this.isOlder = error.code === "not-found";
      throw error;
    }
  }

  context(id, lines, view, signal) {
    const query = view.query();
    query.set("context", lines);
    return this.fetch(`v1/passages/${encodeURIComponent(id)}?${query}`, {}, signal);
  }

  feedback(report) {
    return this.send("v1/feedback", report);
  }

  /** What the server is; asked once. An empty object where it does not say. */
  version() {
    if (!this.about) {
      this.about = this.fetch("v1/version", {}).catch(() => {
        this.about = null;
        return {};
      });
    }
    return this.about;
  }

  send(path, body, signal) {
    const headers = { "Content-Type": "application/json" };
    return this.fetch(path, { method: "POST", headers, body: JSON.stringify(body) }, signal);
  }

  async fetch(path, options, signal) {
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(), PATIENCE_MS);
    if (signal) signal.addEventListener("abort", () => limit.abort(), { once: true });
    try {
      const response = await fetch(new URL(path, this.base), { ...REQUEST, ...options, signal: limit.signal });
      return await this.read(response);
    } catch (error) {
      if (error instanceof Problem || (signal && signal.aborted)) throw error;
      const key = limit.signal.aborted ? "slow" : "offline";
      throw new Problem(this.words.text(key), this.words.text(`${key}_hint`), key);
    } finally {
      clearTimeout(late);
    }
  }

  async read(response) {
    const text = await response.text();
    let body;
    try {
      body = text ? JSON.parse(text) : {};
    } catch (error) {
      body = null;
    }
    if (response.ok && body !== null) return body;
    throw this.problem(response, body || {});
  }

  problem(response, body) {
    const status = response.status;
    const wait = Math.min(3600, parseInt(response.headers.get("Retry-After"), 10) || 0);
    const title = status === 429 ? this.words.text("busy") : body.detail || body.title || this.words.text("unreadable");
    const hint = wait ? this.words.count("wait", wait) : body.hint || (status >= 500 ? this.words.text("slow_hint") : "");
    return new Problem(title, hint, body.code || `http-${status}`, status, wait);
  }
}

/** Which documents are asked: the version, and who reads. */
class View {
  constructor(version, readerView) {
    this.version = version || null;
    this.readerView = (readerView || "").split(/[\s,]+/).filter(Boolean);
  }

  body() {
    const asked = {};
    if (this.version) asked.version = this.version;
    if (this.readerView.length) asked.reader_view = this.readerView;
    return asked;
  }

  query() {
    const query = new URLSearchParams();
    if (this.version) query.set("version", this.version);
    for (const one of this.readerView) query.append("reader_view", one);
    return query;
  }
}
