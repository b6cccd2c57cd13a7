/**
 * The bow with its hole, the collar and the blade. Holes are cut out by the rule `evenodd`.
 * @param blade how long the blade is, up to its tip
 */
export function runKeyBody(blade: number): string {
  return `M20 1a19 19 0 0 1 18 12.9h6V9a3.5 3.5 0 0 1 7 0v-.5h${blade}l10 6-10 7.5H51V31a3.5 3.5 0 0 1-7 0v-4.9h-6A19 19 0 1 1 20 1Zm-2 10a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z`;
}

/** The drawing of a run as a key, on a grid of 328 × 40. It is data, so that pages and drawn pictures show the same key. */
export const RUN_KEY = {
  width: 328,
  height: 40,
  body: runKeyBody(267),
  /** Lines that are engraved into it. */
  lines: 'M6 16a15 15 0 0 1 17-10.6M60 13.5h252',
} as const;

/** Where the last tooth ends; what is between the collar and the first one is plain. */
const TEETH_END_X = 308;
const TOOTH_WIDTH = 34;

/** For all teeth and the gaps between them; more than six are narrower, fewer lie farther apart. */
const MAX_TEETH_WIDTH = 226;
const MAX_SPREAD = 36;

/** A tooth reaches up into the blade. */
const TOOTH_TOP_Y = 18;
const BLADE = 6;

/** How deep a key that is not cut yet reaches. */
const UNCUT_DEPTH = 18;

const TOOTH_GAP = 3;
const SERIES_GAP = 10;
const STEPS_PER_SERIES = 3;

/** The width of a slope between two cuts of different depth. */
const SLOPE = 4;

/** The depths of the cuts from the bow to the tip. All teeth of a key share them. */
const CUTS = [15, 10, 9, 17, 12, 9, 10, 17, 15, 8, 10, 16];
const CUTS_OF_EACH = 2;

export interface RunKeyTooth {
  tooth: string;
  /** The block that it is cut out of. */
  stock: string;
  /** Its two cuts, without the slopes between them. */
  cuts: { left: number; top: number; width: number; depth: number }[];
  from: { x: number; y: number };
}

/** From the bow to the tip: one for each of `of` steps, and a wider gap between two series. */
export function runKeyTeeth(of: number): RunKeyTooth[] {
  const gapsBefore = (step: number) => {
    const series = Math.floor(step / STEPS_PER_SERIES);
    return series * SERIES_GAP + (step - series) * TOOTH_GAP;
  };
  const toothWidth = Math.min(TOOTH_WIDTH, Math.floor((MAX_TEETH_WIDTH - gapsBefore(of - 1)) / of));
  const left = MAX_TEETH_WIDTH - of * toothWidth - gapsBefore(of - 1);
  const spread = Math.min(MAX_SPREAD, Math.floor(left / Math.max(of - 1, 1)));
  const first = TEETH_END_X - of * toothWidth - gapsBefore(of - 1) - (of - 1) * spread;

  return Array.from({ length: of }, (_, step) => {
    const x = first + step * (toothWidth + spread) + gapsBefore(step);
    const width = toothWidth / CUTS_OF_EACH;
    const at = (step * CUTS_OF_EACH) % CUTS.length;
    const depths = CUTS.slice(at, at + CUTS_OF_EACH);
    const cuts = depths.map((depth, index) => ({ left: x + index * width, top: TOOTH_TOP_Y, width, depth }));
    const edge = cuts.map(
      ({ left, depth }) => `L${left + SLOPE / 2} ${TOOTH_TOP_Y + depth}H${left + width - SLOPE / 2}`,
    );

    return {
      tooth: `M${x} ${TOOTH_TOP_Y}v${BLADE}${edge.join('')}L${x + toothWidth} ${TOOTH_TOP_Y + BLADE}V${TOOTH_TOP_Y}Z`,
      stock: `M${x} ${TOOTH_TOP_Y}v${UNCUT_DEPTH}h${toothWidth}v-${UNCUT_DEPTH}Z`,
      cuts,
      from: { x, y: TOOTH_TOP_Y + UNCUT_DEPTH - 4 },
    };
  });
}
