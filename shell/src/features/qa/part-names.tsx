import { SHELL } from '@app/contracts/unit';
import { useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { create } from 'zustand';
import { listPageUnits, type PageUnit } from './describe-page.ts';
import css from './part-names.module.css';
import { t } from './words.ts';

interface NamedPart extends Pick<PageUnit, 'unit' | 'version' | 'source'> {
  place: { top: number; left: number; width: number; height: number };
}

/** Ends it; undefined while the parts are not named. */
const useHideNames = create<{ hide?: (() => void) | undefined }>(() => ({}));

/** Names the parts of the page with what each is from, or no longer. */
export function togglePartNames(): void {
  const { hide } = useHideNames.getState();
  hide?.();
  useHideNames.setState({ hide: hide ? undefined : showPartNames() });
}

export function useArePartNamesShown(): boolean {
  return useHideNames(({ hide }) => hide !== undefined);
}

/** In a root of its own, so that the names stay when the panel closes, and over a page that has stopped working. */
function showPartNames(): () => void {
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  root.render(<PartNames />);
  return () => {
    root.unmount();
    host.remove();
  };
}

function PartNames() {
  const parts = JSON.parse(useSyncExternalStore(watchLayout, () => JSON.stringify(listParts()))) as NamedPart[];

  return (
    <ul className={css.parts} aria-label={t('names.parts')}>
      {parts.map(({ unit, version, source, place }) => (
        <li
          key={unit}
          ref={(part) => void (part && setPosition(part, place))}
          className={css.part}
          data-kind={unit === SHELL ? 'frame' : source}
        >
          <p className={css.name}>
            <code>{`${unit}@${version}`}</code> <span>{t(`source.${source}`)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function setPosition({ style }: HTMLElement, place: NamedPart['place']): void {
  for (const [edge, length] of Object.entries(place)) style.setProperty(edge, `${String(length)}px`);
}

/** The units that this page shows something of. The shell is the frame around all others. */
function listParts(): NamedPart[] {
  return listPageUnits().flatMap(({ unit, version, source }) => {
    const selector = unit === SHELL ? '#root' : `[data-unit="${CSS.escape(unit)}"]`;
    const box = document.querySelector(selector)?.getBoundingClientRect();
    if (!box) return [];
    const { width, height } = box;
    return { unit, version, source, place: { top: box.top + scrollY, left: box.left + scrollX, width, height } };
  });
}

/** What changes the place of a part changes the size of the page, or what is in it. */
function watchLayout(onChange: () => void): () => void {
  const sizes = new ResizeObserver(onChange);
  sizes.observe(document.body);
  const contents = new MutationObserver(onChange);
  contents.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-source', 'data-version'] });
  return () => {
    sizes.disconnect();
    contents.disconnect();
  };
}
