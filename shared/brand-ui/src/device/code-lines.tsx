import css from './device.module.css';
import { paintLine, type Paint } from './paint-code.ts';

const CHARACTER = 6.3;
const LINE = 14.2;

const CLASSES: Record<Paint, string | undefined> = {
  keyword: css.keyword,
  call: css.call,
  text: css.string,
  number: css.number,
  comment: css.comment,
  plain: css.plain,
};

interface CodeLinesProps {
  x: number;
  y: number;
  lines: readonly string[];
  /** The index of the line with the cursor, from 0. */
  current?: number;
  width: number;
}

/** Lines of a script with line numbers and syntax highlighting. `x` and `y` are the start of the first baseline. */
export function CodeLines({ x, y, lines, current, width }: CodeLinesProps) {
  return (
    <g className={css.code}>
      {current !== undefined && (
        <rect className={css.current} x={x - 18} y={y + current * LINE - 10.6} width={width} height={LINE} rx="3" />
      )}
      {lines.map((line, index) => {
        const { indent, pieces } = paintLine(line);
        const baseline = y + index * LINE;

        return (
          // The lines of a drawing never change, so the index can be the key.
          <g key={index}>
            <text className={css.lineNumber} x={x - 4} y={baseline} textAnchor="end">
              {index + 1}
            </text>
            <text x={x + 6 + indent * CHARACTER} y={baseline}>
              {pieces.map(({ paint, words }, at) => (
                <tspan key={at} className={CLASSES[paint]}>
                  {words}
                </tspan>
              ))}
            </text>
          </g>
        );
      })}
    </g>
  );
}
