import { themeFor } from '@app/contracts/document';
import '@app/design-system/tokens.css?confined';
import '@app/design-system/elements.css?confined';
import { useLocation } from '@app/platform';
import type { ComponentType } from 'react';
import './colours.css?confined';
import css from './site-styles.module.css';

/** Puts a page into an element that has the site's tokens and looks. Nothing outside of it changes. */
export function withSiteStyles(Page: ComponentType): ComponentType {
  return function StyledPage() {
    const { pathname, search } = useLocation();
    const { theme, accent } = themeFor(pathname + search);
    return (
      <div className={css.page} data-site-styles data-theme={theme} data-accent={accent}>
        <Page />
      </div>
    );
  };
}
