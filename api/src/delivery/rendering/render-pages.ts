import type { KnownDevice } from '@app/contracts/carried';
import type { SiteSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';
import { pageHtmlSchema } from '#api/delivery/store/rendered-store.ts';
import { type ConfinedOptions, createRunConfined } from './run-confined.ts';

/** The server bundle of a release. */
interface Bundle {
  unit: string;
  version: string;
  code: string;
  /** Its source map, as JSON. */
  map?: string | undefined;
}

/** What the process of the renderer has to do. */
export interface RenderOrder {
  shell: Bundle;
  /** The remote whose pages are rendered. */
  remote: Bundle;
  /** What the page runs before both, so that it has another language than the original. */
  translations: readonly string[];
  /** The paths of the pages. */
  pages: readonly string[];
  /** How much of a device the addresses name, the least first. Each page is rendered for each. */
  devices: readonly KnownDevice[];
  settings: SiteSettings;
}

const renderedPageSchema = v.union([
  v.object({ path: v.string(), html: pageHtmlSchema }),
  v.object({ path: v.string(), problem: v.string() }),
]);

/** The HTML of a page, or the stack of what it threw. */
export type RenderedPage = v.InferOutput<typeof renderedPageSchema>;

const answerSchema = v.union([v.object({ rendered: v.array(renderedPageSchema) }), v.object({ problem: v.string() })]);

/**
 * The result of an order. `problem`: the code threw before the first page was rendered. `failure`: the renderer did not
 * finish, which says nothing about the code.
 */
export type RenderAnswer = v.InferOutput<typeof answerSchema> | { failure: string };

/** Renders all pages of an order. It never throws. */
export type RenderPages = (order: RenderOrder) => Promise<RenderAnswer>;

/** Makes the function that renders pages in a confined process, which is started for each order and ended after it. */
export function createRenderPages(options: ConfinedOptions): RenderPages {
  const runConfined = createRunConfined(options);
  return (order) => runConfined(order, answerSchema);
}
