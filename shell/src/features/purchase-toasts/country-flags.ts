/** A flag on a field of 20 × 14: areas, each a colour and a path. Simple enough to be told apart at the height of a line. */
export type Flag = readonly (readonly [colour: string, path: string])[];

const FIELD = 'M0 0h20v14H0z';

/** The flags that are drawn, by the code of the country in lower case. */
const FLAGS: Readonly<Record<string, Flag>> = {
  be: upright('#1d1d1b', '#fdda24', '#ef3340'),
  br: [
    ['#009739', FIELD],
    ['#fedd00', 'M10 1.6 18 7l-8 5.4L2 7z'],
    ['#012169', 'M10 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6z'],
  ],
  co: [
    ['#fcd116', FIELD],
    ['#003893', 'M0 7h20v7H0z'],
    ['#ce1126', 'M0 10.5h20V14H0z'],
  ],
  de: level('#1d1d1b', '#dd0000', '#ffce00'),
  es: [
    ['#c60b1e', FIELD],
    ['#ffc400', 'M0 3.5h20v7H0z'],
  ],
  fr: upright('#0055a4', '#ffffff', '#ef4135'),
  gb: [
    ['#012169', FIELD],
    ['#ffffff', 'M0 0h2.4L20 11.9V14h-2.4L0 2.1zM20 0h-2.4L0 11.9V14h2.4L20 2.1zM8 0h4v14H8zM0 5h20v4H0z'],
    [
      '#c8102e',
      'M8.9 0h2.2v14H8.9zM0 5.9h20v2.2H0zM0 0l6.6 4.6H5.2L0 1zM20 0l-6.6 4.6h1.4L20 1zM0 14l6.6-4.6H5.2L0 13zM20 14l-6.6-4.6h1.4L20 13z',
    ],
  ],
  id: [
    ['#ffffff', FIELD],
    ['#ce1126', 'M0 0h20v7H0z'],
  ],
  it: upright('#009246', '#ffffff', '#ce2b37'),
  mx: upright('#006847', '#ffffff', '#ce1126'),
  nl: level('#ae1c28', '#ffffff', '#21468b'),
  ph: [
    ['#0038a8', FIELD],
    ['#ce1126', 'M0 7h20v7H0z'],
    ['#ffffff', 'M0 0l10 7-10 7z'],
    ['#fcd116', 'M3.4 5.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z'],
  ],
  pl: [
    ['#ffffff', FIELD],
    ['#dc143c', 'M0 7h20v7H0z'],
  ],
  us: [
    ['#b22234', FIELD],
    ['#ffffff', 'M0 2h20v2H0zM0 6h20v2H0zM0 10h20v2H0z'],
    ['#3c3b6e', 'M0 0h9v8H0z'],
    ['#ffffff', 'M2 2h1v1H2zM4 2h1v1H4zM6 2h1v1H6zM3 3.6h1v1H3zM5 3.6h1v1H5zM2 5.2h1v1H2zM4 5.2h1v1H4zM6 5.2h1v1H6z'],
  ],
  vn: [
    ['#da251d', FIELD],
    ['#ffff00', 'm10 2.8 1 3h3.2l-2.6 1.9 1 3.1-2.6-1.9-2.6 1.9 1-3.1-2.6-1.9H9z'],
  ],
};

/** For a country whose flag is not drawn: a globe. */
const OTHER: Flag = [
  ['#3a4258', FIELD],
  ['#c5cde0', 'M10 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z'],
  [
    '#3a4258',
    'M10 3c1.4 0 2.3 1.9 2.3 4s-.9 4-2.3 4-2.3-1.9-2.3-4S8.6 3 10 3zm-.5 1.3C9 4.9 8.7 5.9 8.7 7s.3 2.1.8 2.7zm1 0v5.4c.5-.6.8-1.6.8-2.7s-.3-2.1-.8-2.7zM5.5 6.5h9v1h-9z',
  ],
];

/** The flag of a country code of exactly two letters; any other code has none. */
export function flagOf(countryCode: string): Flag | undefined {
  if (!/^[a-z]{2}$/i.test(countryCode)) return undefined;

  return FLAGS[countryCode.toLowerCase()] ?? OTHER;
}

/** Three bars from left to right. */
function upright(left: string, middle: string, right: string): Flag {
  return [
    [middle, FIELD],
    [left, 'M0 0h6.7v14H0z'],
    [right, 'M13.3 0H20v14h-6.7z'],
  ];
}

/** Three bars from top to bottom. */
function level(top: string, middle: string, bottom: string): Flag {
  return [
    [middle, FIELD],
    [top, 'M0 0h20v4.7H0z'],
    [bottom, 'M0 9.3h20V14H0z'],
  ];
}
