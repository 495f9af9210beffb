// Counts, gains and choices, as the library has them: a test gives both the same tables and compares all of it.
//
// A table: columns [{ name, names, codes }] or [{ name, numbers }] (null where a value is missing), y (codes of classes), K, least (the
// smallest weight of a row).
// Rows at a node: [[row, weight], ...]; where a value is missing, a row goes to every branch with a part of its weight.
// A split: { f, groups: [[codes], ...] } or { f, threshold, groups: null }; its branches are numbered from 0.
(() => {
  const { sum } = window.touch;
  const TIE = 1e-10; // worths this close are equal
  const xlogx = (x) => (x > 0 ? x * Math.log2(x) : 0);

  const entropy = (counts) => Math.max(0, spread(counts) / (sum(counts) || 1));
  const gini = (counts) => (sum(counts) ? 1 - sum(counts.map((c) => (c / sum(counts)) ** 2)) : 0);
  const spread = (counts) => xlogx(sum(counts)) - sum(counts.map(xlogx)); // entropy times weight

  const isMissing = (column, row) => (column.numbers ?? column.codes)[row] === null;

  function classCounts(table, rows) {
    const counts = Array(table.K).fill(0);
    for (const [row, weight] of rows) counts[table.y[row]] += weight;
    return counts;
  }

  // The branch that a row takes, -1 if its value is missing or has no branch.
  function branchOf(table, split, row) {
    const column = table.columns[split.f];
    if (isMissing(column, row)) return -1;
    if (split.groups) return split.groups.findIndex((group) => group.includes(column.codes[row]));
    return column.numbers[row] <= split.threshold ? 0 : 1;
  }

  const branches = (split) => split.groups?.length ?? 2;

  // The class counts of each branch, of the rows whose value is known.
  function branchCounts(table, rows, split) {
    const counts = Array.from({ length: branches(split) }, () => Array(table.K).fill(0));
    for (const [row, weight] of rows) {
      const b = branchOf(table, split, row);
      if (b >= 0) counts[b][table.y[row]] += weight;
    }
    return counts;
  }

  // Send rows down a split: a row whose value is missing takes every branch, in part, or as a whole the largest.
  function send(table, rows, split, asWhole = false) {
    const parts = Array.from({ length: branches(split) }, () => []);
    const size = branchCounts(table, rows, split).map(sum);
    const known = sum(size);
    for (const [row, weight] of rows) {
      const b = branchOf(table, split, row);
      if (b >= 0) parts[b].push([row, weight]);
      else if (asWhole) parts[size.indexOf(Math.max(...size))].push([row, weight]);
      else size.forEach((n, i) => n > 0 && parts[i].push([row, (weight * n) / known]));
    }
    return parts;
  }

  // What a split is worth. The gains are those of the known rows times their share.
  function measure(table, rows, split) {
    const counts = branchCounts(table, rows, split);
    const total = counts[0].map((_, k) => sum(counts.map((branch) => branch[k])));
    const n = sum(rows.map(([, weight]) => weight));
    const known = sum(total);
    const size = counts.map(sum);
    const missing = Math.max(n - known, 0);
    const gain = (spread(total) - sum(counts.map(spread))) / n;
    const information = Math.max((xlogx(n) - xlogx(missing) - sum(size.map(xlogx))) / n, 0);
    const after = sum(counts.map((branch, b) => (size[b] / (known || 1)) * gini(branch)));
    return {
      split, counts, total, n, known: known / n, gain, information,
      ratio: information > TIE ? gain / information : NaN,
      decrease: Math.max(0, gini(total) - after) * (known / n),
      parted: size.filter((x) => x > 0).length > 1,
    };
  }

  // Halfway between neighbors, in the order of the numbers at the node.
  function thresholds(table, rows, f) {
    const { numbers } = table.columns[f];
    const here = [...new Set(rows.map(([row]) => numbers[row]).filter((x) => x !== null))].sort((a, b) => a - b);
    return here.slice(1).map((x, i) => (here[i] + x) / 2);
  }

  const everyValue = (table, f) => ({ f, groups: table.columns[f].names.map((_, code) => [code]) });

  // Two groups of the names that occur, the first name in the first one.
  function inTwo(table, rows, f) {
    const { codes } = table.columns[f];
    const present = [...new Set(rows.map(([row]) => codes[row]).filter((x) => x !== null))].sort((a, b) => a - b);
    const split = (left) => {
      const right = present.filter((code) => !left.includes(code));
      return { f, groups: left.includes(present[0]) ? [left, right] : [right, left] };
    };
    if (table.K === 2 || present.length < 3) return cutsOfOrder(table, rows, f, present).map(split);
    const rest = present.slice(1);
    return Array.from({ length: 2 ** rest.length - 1 }, (_, bits) =>
      split([present[0], ...rest.filter((_, i) => (bits >> i) & 1)]),
    );
  }

  // Of two classes, the best groups are cuts of the names in the order of their class shares.
  function cutsOfOrder(table, rows, f, present) {
    const counts = branchCounts(table, rows, { f, groups: present.map((code) => [code]) });
    const share = new Map(present.map((code, i) => [code, counts[i][1] / sum(counts[i])]));
    const order = [...present].sort((a, b) => share.get(a) - share.get(b) || a - b);
    return order.slice(1).map((_, i) => order.slice(0, i + 1).sort((a, b) => a - b));
  }

  // The first of the measured splits with the largest worth.
  function first(measured, worth) {
    const best = Math.max(...measured.map(worth));
    return measured.find((m) => worth(m) >= best - TIE);
  }

  function best(table, rows, f, splits, worth) {
    const measured = splits.map((split) => measure(table, rows, split));
    return measured.length ? first(measured, worth) : null;
  }

  const gainOf = (m) => m.gain;
  const decreaseOf = (m) => m.decrease;
  const each = (table, find) => table.columns.map((column, f) => find(f, column.numbers !== undefined));

  // Each program: the best split of each feature (null where it cannot ask), and which feature it chooses, -1 for none.
  const programs = {
    ID3(table, rows) {
      const found = each(table, (f, isNumber) => {
        if (isNumber || rows.some(([row]) => isMissing(table.columns[f], row))) return null;
        const m = measure(table, rows, everyValue(table, f));
        return m.parted ? m : null;
      });
      return chosen(found, gainOf);
    },

    "C4.5"(table, rows) {
      if (sum(rows.map(([, weight]) => weight)) < 2 * table.least - TIE) return { found: table.columns.map(() => null), feature: -1 };
      const found = each(table, (f, isNumber) => {
        if (!isNumber) {
          const m = measure(table, rows, everyValue(table, f));
          return m.parted ? m : null;
        }
        const m = best(table, rows, f, thresholds(table, rows, f).map((threshold) => ({ f, threshold, groups: null })), gainOf);
        return m && m.gain > TIE ? m : null;
      });
      const askable = found.filter((m) => m !== null);
      const average = sum(askable.map(gainOf)) / (askable.length || 1);
      const fit = (m) => m.gain >= average - TIE && m.information > TIE;
      return { ...chosen(found, (m) => (fit(m) ? m.ratio : -1)), average };
    },

    CART(table, rows) {
      const found = each(table, (f, isNumber) => {
        const cuts = isNumber
          ? thresholds(table, rows, f).map((threshold) => ({ f, threshold, groups: null }))
          : inTwo(table, rows, f);
        return best(table, rows, f, cuts, decreaseOf);
      });
      return chosen(found, decreaseOf);
    },
  };

  // The first feature with the largest worth; none if nothing is worth anything or the node is pure.
  function chosen(found, worth) {
    let feature = -1;
    let most = TIE;
    found.forEach((m, f) => {
      if (m && worth(m) > most + (feature < 0 ? 0 : TIE)) [feature, most] = [f, worth(m)];
    });
    return { found, feature };
  }

  window.touch.arithmetic = {
    sum, entropy, gini, classCounts, branchCounts, branchOf, send, measure, thresholds, everyValue, inTwo, programs,
  };
})();
