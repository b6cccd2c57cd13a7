import { Dialog } from '@app/design-system/dialog';
import { t } from './words.ts';
import { SectionLinks, type Section } from '../../section-links.tsx';

/** The sections of a page in a dialog. A link closes it. */
export function ContentsSheet({ sections, onClose }: { sections: readonly Section[]; onClose: () => void }) {
  return (
    <Dialog isOpen title={t('contents.label')} onClose={onClose} closeLabel={t('contents.close')} wide>
      <SectionLinks sections={sections} onFollow={onClose} />
    </Dialog>
  );
}
