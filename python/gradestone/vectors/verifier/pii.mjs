// The detectors of no_pii (SPEC.md 12.2), in the order in which the kinds are reported.

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const HEXTET = '[0-9A-Fa-f]{1,4}';
const HEXTETS = `${HEXTET}(?::${HEXTET})*`;
const BASE58 = '1-9A-HJ-NP-Za-km-z';

const any = () => true;

const DETECTORS = {
  email: ['[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}', any],
  credit_card: ['(?<![0-9])(?:[0-9][ -]?){13,19}(?![0-9])', passesLuhn],
  iban: ['(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}(?![A-Za-z0-9])', passesMod97],
  ipv4: [`(?<![0-9])(?:${OCTET}\\.){3}${OCTET}(?![0-9])`, any],
  ipv6: [
    `(?<![0-9A-Fa-f:])(?:${HEXTET}(?::${HEXTET}){7}|(?:${HEXTETS})?::(?:${HEXTETS})?)(?![0-9A-Fa-f:])`,
    (match) => !match.includes('::') || /[0-9]/.test(match),
  ],
  phone: [
    '[+()0-9][0-9 \\t\\n\\r\\f\\v().-]{6,}[0-9]',
    (match) => /^\+[0-9]{7,15}$/.test(match.replace(/[ \t\n\r\f\v().-]/g, '')),
  ],
  crypto: [`(?<![${BASE58}])[13][${BASE58}]{25,34}(?![${BASE58}])|(?<![a-z0-9])bc1[a-z0-9]{25,60}(?![a-z0-9])`, any],
};

export const KINDS = Object.keys(DETECTORS);

function passesLuhn(match) {
  const digits = [...match.replace(/[^0-9]/g, '')].reverse().map(Number);
  const weighed = digits.map((digit, index) => (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)));
  return weighed.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}

function passesMod97(match) {
  const turned = match.slice(4) + match.slice(0, 4);
  const digits = [...turned].map((symbol) => parseInt(symbol, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

export function holds(kind, text) {
  const [pattern, passes] = DETECTORS[kind];
  for (const [match] of text.matchAll(new RegExp(pattern, 'g'))) {
    if (passes(match)) return true;
  }
  return false;
}
