// Hotkeys as a theme with a search of its own has them: letters act unless an input of the page has the focus.
const pressed = [];
for (const name of ["keydown", "keyup", "keypress"]) {
  window.addEventListener(name, (event) => {
    const active = document.activeElement;
    if (active && (active.isContentEditable || /^(INPUT|TEXTAREA)$/.test(active.tagName))) return;
    pressed.push(`${name} ${event.key}`);
    document.getElementById("pressed").textContent = pressed.join(", ");
    if (name === "keydown" && ["f", "s", "/"].includes(event.key)) {
      document.getElementById("site-search").focus();
      event.preventDefault();
    }
  });
}
