"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.getElementById("people"), tip = document.getElementById("tip");
  const box = document.getElementById("map"), status = document.getElementById("status");
  const NS = "http://www.w3.org/2000/svg", W = 640, H = 420, PAD = 18;
  const place = ([a, b]) => [PAD + a * (W - 2 * PAD), H - PAD - b * (H - 2 * PAD)];
  const make = (name, attributes) => {
    const element = document.createElementNS(NS, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  const words = (point) => {
    const chances = point.x.map((chance, c) => [chance, c]).filter(([chance]) => chance >= 0.005)
      .sort((a, b) => b[0] - a[0]).map(([chance, c]) => `${Math.round(100 * chance)}% cluster ${c}`);
    const groups = point.groups.length ? ` (${point.groups.join(", ")})` : "";
    return `${point.id}: ${chances.join(", ")}${groups}${point.outside ? ", outside the picture" : ""}`;
  };
  const circles = data.points.map((point, number) => {
    const [x, y] = place(point.at);
    const kind = point.outside ? "person outside" : "person";
    const circle = make("circle", { cx: x, cy: y, r: 4, fill: point.color, class: kind, "data-number": number });
    svg.appendChild(circle);
    return circle;
  });
  data.centers.forEach((at, c) => {
    const [x, y] = place(at);
    svg.appendChild(make("circle", { cx: x, cy: y, r: 9, fill: data.colors[c], class: "center" }));
    const above = y > 40;  // of the centre, unless there is no room
    const text = make("text", { x: x, y: above ? y - 14 : y + 26, "text-anchor": "middle", class: "number" });
    text.textContent = String(c);
    svg.appendChild(text);
  });
  let current = -1;
  const show = (number) => {
    if (current >= 0) circles[current].classList.remove("current");
    current = number;
    if (number < 0) { tip.hidden = true; return; }
    circles[number].classList.add("current");
    tip.textContent = words(data.points[number]);  // text, never markup
    tip.hidden = false;
    const frame = box.getBoundingClientRect(), spot = circles[number].getBoundingClientRect();
    const left = Math.min(spot.left - frame.left + 14, frame.width - tip.offsetWidth - 4);
    tip.style.left = Math.max(0, left) + "px";
    tip.style.top = spot.top - frame.top + 14 + "px";
  };
  svg.addEventListener("pointerover", (event) => {
    const number = event.target.getAttribute && event.target.getAttribute("data-number");
    if (number !== null) show(Number(number));
  });
  svg.addEventListener("pointerleave", () => show(-1));
  const visible = () => circles.map((circle, number) => number).filter((number) => !circles[number].hasAttribute("hidden"));
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") { show(-1); return; }
    if (!(event.key in steps)) return;
    event.preventDefault();
    const among = visible();
    if (!among.length) return;
    const from = among.indexOf(current);
    show(among[(from + steps[event.key] + among.length) % among.length]);
    status.textContent = tip.textContent;
  });
  const selects = [...document.querySelectorAll("[data-filter]")], search = document.getElementById("find");
  const filter = () => {
    let count = 0;
    data.points.forEach((point, number) => {
      const fits = selects.every((select) => {
        if (select.value === "") return true;
        if (select.dataset.filter === "cluster") return String(point.label) === select.value;
        return point.groups[Number(select.dataset.filter)] === select.selectedOptions[0].textContent;
      }) && point.id.toLowerCase().includes(search.value.toLowerCase());
      circles[number].toggleAttribute("hidden", !fits);
      circles[number].style.display = fits ? "" : "none";
      count += fits;
    });
    show(-1);
    status.textContent = `${count.toLocaleString("en")} of ${data.points.length.toLocaleString("en")} people shown`;
  };
  selects.forEach((select) => {
    if (select.dataset.filter !== "cluster") {
      const at = Number(select.dataset.filter);
      [...new Set(data.points.map((point) => point.groups[at]))].sort().forEach((value) => {
        const option = document.createElement("option");
        option.textContent = value;
        option.value = "=" + value;
        select.appendChild(option);
      });
    }
    select.addEventListener("change", filter);
  });
  search.addEventListener("input", filter);
  filter();
})();
