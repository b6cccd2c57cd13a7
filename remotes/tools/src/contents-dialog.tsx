import { Dialog } from '@app/design-system/dialog';
import { SectionLinks, type ContentsProps } from './contents.tsx';

/** The sections of a page in a dialog. A link closes it. */
export function ContentsDialog({ sections, words, onClose }: ContentsProps & { onClose: () => void }) {
  return (
    <Dialog isOpen title={words.label} onClose={onClose} closeLabel={words.close} wide>
      <SectionLinks sections={sections} onFollow={onClose} />
    </Dialog>
  );
}
