import { Dialog } from '@app/design-system/dialog';
import { SectionLinks, type Section } from './section-links.tsx';

export interface ContentsProps {
  sections: readonly Section[];
  /** The label of the list, and of what opens and closes it. Each catalogue has its own, because the other is not loaded. */
  words: Readonly<Record<'label' | 'open' | 'close', string>>;
}

/** The sections of a page in a dialog. A link closes it. */
export function ContentsSheet({ sections, words, onClose }: ContentsProps & { onClose: () => void }) {
  return (
    <Dialog isOpen title={words.label} onClose={onClose} closeLabel={words.close} wide>
      <SectionLinks sections={sections} onFollow={onClose} />
    </Dialog>
  );
}
