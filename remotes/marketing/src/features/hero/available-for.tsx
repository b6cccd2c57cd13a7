import { SystemIcon } from '@app/brand-ui/system-icon';
import { useVisitor } from '@app/platform';

interface AvailableForProps {
  /** The systems that the text names. The icon of the first is shown to visitors with any other system. */
  systems: readonly ['android', 'ios'?];
  children: string;
}

/** A text that says where an app runs, with the icon of the visitor's system. */
export function AvailableFor({ systems, children }: AvailableForProps) {
  const { os } = useVisitor();
  const mark = systems.find((system) => system === os) ?? systems[0];

  return (
    <>
      <span data-os={mark}>
        <SystemIcon system={mark} />
      </span>
      <span>{children}</span>
    </>
  );
}
