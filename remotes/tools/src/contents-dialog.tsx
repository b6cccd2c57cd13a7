import { Dialog } from '@app/design-system/dialog';
import { SectionLinks, type ContentsProps } from './section-links.tsx';

export function ContentsDialog({ sections, words, onClose }: ContentsProps & { onClose: () => void }) {
  return (
    <Dialog isOpen title={words.label} onClose={onClose} closeLabel={words.close} wide>
      <SectionLinks sections={sections} onFollow={onClose} />
    </Dialog>
  );
}
