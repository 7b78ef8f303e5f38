"use strict";
(() => {
  const form = document.getElementById("filter");
  const words = document.getElementById("words");
  const kind = document.getElementById("kind");
  const count = document.getElementById("count");
  const calls = Array.from(document.querySelectorAll("details.c"));
  const groups = Array.from(document.querySelectorAll("div.g"));
  const sections = Array.from(document.querySelectorAll("main > section"));
  const none = document.getElementById("none");
  let texts = null;
  let waiting = 0;

  function filter() {
    const wanted = words.value.trim().toLowerCase();
    if (wanted && !texts) texts = calls.map((call) => call.textContent.toLowerCase());
    let found = 0;
    calls.forEach((call, at) => {
      const fits = (!kind.value || call.classList.contains(kind.value)) && (!wanted || texts[at].includes(wanted));
      if (call.hidden === fits) call.hidden = !fits;
      found += fits;
    });
    groups.forEach((group) => { group.hidden = !group.querySelector("details.c:not([hidden])"); });
    // A file without a call that fits is out of the way, but never one that could not be read or believed.
    sections.forEach((section) => {
      section.hidden = Boolean(wanted || kind.value) && !section.querySelector("details.c:not([hidden]), .b");
    });
    none.hidden = found > 0 || !calls.length;
    count.textContent = `${found} of ${calls.length} calls`;
  }

  function show(call) {
    call.hidden = false;
    call.parentElement.hidden = false;
    call.closest("section").hidden = false;
    call.open = true;
    call.scrollIntoView({ block: "center" });
    call.firstElementChild.focus({ preventScroll: true });
  }

  function showTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.matches("details.c")) show(target);
    else if (target.closest("section[hidden]")) {
      target.closest("section").hidden = false;
      target.scrollIntoView();
    }
  }

  function step(by) {
    const marked = calls.filter((call) => call.classList.contains("f") && !call.hidden);
    if (!marked.length) return;
    const here = calls.indexOf(document.activeElement && document.activeElement.closest("details.c"));
    const last = step.last === undefined ? -1 : step.last;
    const from = here >= 0 ? here : last;
    const next = by > 0
      ? marked.find((call) => calls.indexOf(call) > from) || marked[0]
      : marked.slice().reverse().find((call) => calls.indexOf(call) < from) || marked[marked.length - 1];
    step.last = calls.indexOf(next);
    show(next);
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  words.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 150); });
  kind.addEventListener("change", filter);
  document.getElementById("next").addEventListener("click", () => step(1));
  document.getElementById("previous").addEventListener("click", () => step(-1));
  addEventListener("hashchange", showTarget);
  // A link to the call that is already in the address changes no hash.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#c'], a[href^='#f']");
    if (link && link.hash === location.hash) showTarget();
  });
  count.textContent = `${calls.length} of ${calls.length} calls`;
  showTarget();
})();
