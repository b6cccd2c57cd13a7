import { themeFor } from '@app/contracts/document';
import { Head, Html, Main, NextScript } from 'next/document';

/** The document of every page. All measured pages have the same colours. */
export default function Document() {
  const { theme, accent } = themeFor('/v5');
  return (
    <Html lang="en" data-theme={theme} data-accent={accent}>
      <Head />
      <body>
        <Main />
        <NextScript />
      </body>
    </Html>
  );
}
