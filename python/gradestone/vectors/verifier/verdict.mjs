// A verdict (SPEC.md 4). The score of a grader that is not scored is left out, as in the files.

export function verdict(code, metadata) {
  return { code, metadata };
}

export function unscored(code) {
  return { code, score: 0 };
}

export function scored(score, threshold, metadata) {
  return { code: score >= threshold ? 'ok' : 'below_threshold', score, metadata };
}

export function numberOption(options, key, fallback) {
  return options.has(key) ? Number(options.get(key)) : fallback;
}

export function harmonicMean(precision, recall) {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
