import { defineWords } from '@app/platform';
import en from './messages/en.json';

const t = defineWords({ en });

/** A drawing from an SVG file. Where it has an id in braces, such as `{speed}`, it gets the text of that id. */
export function Drawing({ svg }: { svg: string }) {
  return <g dangerouslySetInnerHTML={{ __html: fillTexts(svg) }} />;
}

function fillTexts(svg: string): string {
  return svg.replace(/\n\s*/g, '').replace(/\{([\w.]+)\}/g, (_braces, id: string) =>
    t(id as keyof typeof en)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;'),
  );
}
