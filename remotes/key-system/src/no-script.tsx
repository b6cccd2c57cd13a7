import { Button } from '@app/design-system/button';
import { t } from './words.ts';

/** Stands in for what would load indefinitely without JavaScript. */
export function NoScript({ children = t('noScript') }: { children?: string }) {
  return (
    <noscript>
      <p>{children}</p>
    </noscript>
  );
}

/**
 * A form that does without JavaScript what the page does otherwise. It has no action, so it goes to the address of the
 * document, which has the device in it, and the server answers with the next page.
 */
export function NoScriptForm({
  id,
  kind = 'primary',
  children,
}: {
  id?: string;
  kind?: 'primary' | 'quiet';
  children: string;
}) {
  return (
    <noscript>
      <form method="post" id={id}>
        <Button type="submit" wide kind={kind}>
          {children}
        </Button>
      </form>
    </noscript>
  );
}
