'use strict';
// The number that a text begins with, in bytes or seconds if it has a unit: "16K", "1.2 ms", "3.4 ×", "5 %".
const factors = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, ns: 1e-9, 'µs': 1e-6, ms: 1e-3 };
const number = text => {
  const parts = text.match(/(-?[0-9.]+(?:e[-+]?[0-9]+)?)\s*([A-Za-zµ]*)/);
  return parts ? parseFloat(parts[1]) * (factors[parts[2]] || 1) : NaN;
};
// A click on a heading sorts its table by that column, a second click the other way round.
for (const table of document.querySelectorAll('table.sorts')) {
  const row = table.tHead.rows[table.tHead.rows.length - 1];
  const body = table.tBodies[0];
  for (const head of row.cells) {
    head.tabIndex = 0;
    head.addEventListener('click', () => {
      const column = head.cellIndex;
      const up = head.getAttribute('aria-sort') === 'descending' || !head.hasAttribute('aria-sort')
        && head.classList.contains('t');
      const text = line => (line.cells[column] || { textContent: '' }).textContent.trim();
      const order = (a, b) => {
        const x = number(text(a)), y = number(text(b));
        if (head.classList.contains('t'))
          return text(a).localeCompare(text(b));
        return isNaN(x) || isNaN(y) ? isNaN(y) - isNaN(x) : x - y;
      };
      const lines = [...body.rows].sort((a, b) => up ? order(a, b) : order(b, a));
      for (const other of row.cells)
        other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      body.append(...lines);
    });
    head.addEventListener('keydown', event => { if (event.key === 'Enter') head.click(); });
  }
}
// A table that is wider than the page says so.
const mark = () => {
  for (const box of document.querySelectorAll('.table'))
    box.classList.toggle('wide', box.scrollWidth > box.clientWidth + 1);
};
addEventListener('resize', mark);
mark();
