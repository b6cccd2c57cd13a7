import { OLDEST_BROWSERS } from '@app/contracts/oldest-browsers';

const OLDEST = `Safari ${String(Number(OLDEST_BROWSERS.safari))}, Chrome ${OLDEST_BROWSERS.chrome}, Firefox ${OLDEST_BROWSERS.firefox}`;

/** What a document says itself, as HTML, when the code of its page does not come or cannot run. */
const EN = {
  /** For a document without its HTML. CSS shows the first text after a while. */
  notStarted: 'This page didn’t start. <a href="">Reload</a> it, or come back in a few minutes.',
  needsJavaScript: 'This page needs JavaScript. <a href="/">Go to the home page</a>',
  /** For a page that can be read already. */
  worksInPart: 'Some parts of this page don’t work yet. Links do. <a href="">Reload</a>',
  withoutJavaScript: 'Without JavaScript you can read this site and follow its links. Keys, plans and forms need it.',
  /** In a browser in which the shell does not start. */
  tooOld: `This browser is too old for keys, plans and forms: they need ${OLDEST}, or newer. Most pages can be read, and links work. <a href="/">Go to the home page</a>`,
};

const VI: typeof EN = {
  notStarted: 'Trang này chưa chạy được. <a href="">Tải lại</a> hoặc quay lại sau vài phút nhé.',
  needsJavaScript: 'Trang này cần JavaScript. <a href="/">Về trang chủ</a>',
  worksInPart: 'Vài phần của trang này chưa chạy. Link thì vẫn mở được. <a href="">Tải lại</a>',
  withoutJavaScript:
    'Không có JavaScript, bạn vẫn đọc được trang và mở được link. Key, gói và các ô nhập thì cần JavaScript.',
  tooOld: `Trình duyệt này cũ quá, không dùng được key, gói và các ô nhập: cần ${OLDEST} trở lên. Hầu hết các trang vẫn đọc được, link vẫn mở được. <a href="/">Về trang chủ</a>`,
};

const WORDS: Readonly<Record<string, typeof EN>> = { vi: VI };

/** @param language undefined for the original one */
export function documentWords(language = ''): typeof EN {
  return WORDS[language] ?? EN;
}
