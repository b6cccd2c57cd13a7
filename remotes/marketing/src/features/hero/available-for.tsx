import { useVisitor } from '@app/platform';
import { PlatformIcon } from './platform-icon.tsx';

/** Where an app runs, beside the mark of the visitor's own system. */
export function AvailableFor({ children }: { children: string }) {
  const { os } = useVisitor();

  return (
    <>
      <PlatformIcon os={os} />
      {children}
    </>
  );
}
