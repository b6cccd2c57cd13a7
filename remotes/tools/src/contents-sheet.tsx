import { Dialog } from '@app/design-system/dialog';
import type { ContentsProps } from './contents.tsx';
import { SectionLinks } from './section-links.tsx';

/** The sections of a page in a dialog. A link closes it. */
export function ContentsSheet({ sections, words, onClose }: ContentsProps & { onClose: () => void }) {
  return (
    <Dialog isOpen title={words.label} onClose={onClose} closeLabel={words.close} wide>
      <SectionLinks sections={sections} onFollow={onClose} />
    </Dialog>
  );
}
