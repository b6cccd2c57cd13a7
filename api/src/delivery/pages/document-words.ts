import { OLDEST_BROWSERS } from '@app/contracts/oldest-browsers';

const OLDEST = `Safari ${String(Number(OLDEST_BROWSERS.safari))}, Chrome ${OLDEST_BROWSERS.chrome}, Firefox ${OLDEST_BROWSERS.firefox}`;

/** What a document says itself, as HTML, when the code of its page does not come or cannot run. */
const EN = {
  /** For a document without its HTML. CSS shows the first text after a while. */
  notStarted: 'This page didn’t start. <a href="">Reload</a> it, or come back in a few minutes.',
  needsJavaScript: 'This page needs JavaScript. <a href="/">Go to the home page</a>',
  /** For a page that can be read already. */
  worksInPart: 'Some parts of this page don’t work yet. Links do. <a href="">Reload</a>',
  withoutJavaScript: 'Without JavaScript, plans and most forms work. Step 1 of a key, copying and a few tools need it.',
  /** In a browser in which the shell does not start. */
  tooOld: `This browser is too old for some of this site: step 1 of a key and a few tools need ${OLDEST}, or newer. Links, plans and most forms work. <a href="/">Go to the home page</a>`,
};

const VI: typeof EN = {
  notStarted: 'Trang này chưa chạy được. <a href="">Tải lại</a> hoặc quay lại sau vài phút nhé.',
  needsJavaScript: 'Trang này cần JavaScript. <a href="/">Về trang chủ</a>',
  worksInPart: 'Vài phần của trang này chưa chạy. Link thì vẫn mở được. <a href="">Tải lại</a>',
  withoutJavaScript:
    'Không có JavaScript, bạn vẫn mua được gói và gửi được hầu hết các ô nhập. Bước 1 của key, nút sao chép và vài công cụ thì cần JavaScript.',
  tooOld: `Trình duyệt này hơi cũ: bước 1 của key và vài công cụ cần ${OLDEST} trở lên. Link, gói và hầu hết các ô nhập vẫn dùng được. <a href="/">Về trang chủ</a>`,
};

const WORDS: Readonly<Record<string, typeof EN>> = { vi: VI };

/** @param language undefined for the original one */
export function documentWords(language = ''): typeof EN {
  return WORDS[language] ?? EN;
}
