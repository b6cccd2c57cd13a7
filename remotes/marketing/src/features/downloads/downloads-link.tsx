import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { AnchorLink } from '../../anchor-link.tsx';

export function DownloadsLink({ children }: { children: string }) {
  return (
    <AnchorLink className={buttonClass()} to="downloads">
      <Icon name="download" />
      {children}
    </AnchorLink>
  );
}
