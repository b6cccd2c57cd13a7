import type { KnownDevice } from '@app/contracts/device-params';
import type { SiteSettings } from '@app/contracts/site-settings';
import * as v from 'valibot';
import { pageHtmlSchema } from '#api/delivery/store/rendered-store.ts';
import { type ConfinedOptions, createRunConfined } from './run-confined.ts';

interface Bundle {
  unit: string;
  version: string;
  code: string;
  map?: string | undefined;
}

export interface RenderOrder {
  shell: Bundle;
  remote: Bundle;
  /** What the page runs before both, so that it has another language than the original. */
  translations: readonly string[];
  pages: readonly string[];
  /** How much of a device the addresses name, the least first. Each page is rendered for each. */
  devices: readonly KnownDevice[];
  settings: SiteSettings;
}

const renderedPageSchema = v.union([
  v.object({ path: v.string(), html: pageHtmlSchema }),
  v.object({ path: v.string(), problem: v.string() }),
]);

export type RenderedPage = v.InferOutput<typeof renderedPageSchema>;

const answerSchema = v.union([v.object({ rendered: v.array(renderedPageSchema) }), v.object({ problem: v.string() })]);

/** `problem`: the code threw before its first page. `failure`: the renderer did not finish, whatever the code is. */
export type RenderAnswer = v.InferOutput<typeof answerSchema> | { failure: string };

export type RenderPages = (order: RenderOrder) => Promise<RenderAnswer>;

export function createRenderPages(options: ConfinedOptions): RenderPages {
  const runConfined = createRunConfined(options);
  return (order) => runConfined(order, answerSchema);
}
