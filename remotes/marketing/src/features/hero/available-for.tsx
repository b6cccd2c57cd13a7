import { SystemIcon } from '@app/brand-ui/system-icon';
import { useVisitor } from '@app/platform';

interface AvailableForProps {
  /** The systems that the words name, the first of which stands for all others. */
  systems: readonly ['android', 'ios'?];
  children: string;
}

/** Where an app runs, beside the mark of the visitor's own system where it is one of them. */
export function AvailableFor({ systems, children }: AvailableForProps) {
  const { os } = useVisitor();
  const mark = systems.find((system) => system === os) ?? systems[0];

  return (
    <>
      <span data-os={mark}>
        <SystemIcon system={mark} />
      </span>
      {children}
    </>
  );
}
