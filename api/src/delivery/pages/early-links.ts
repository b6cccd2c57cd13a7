import { EARLY_LINK } from '@app/contracts/pages';
import { APP_ID_PATTERN } from '@app/contracts/key-system';

/**
 * A script behind each early link of a document that was rendered ahead of time. It removes itself, as React has to find
 * the nodes that the server has rendered, and completes the link's address from that of the page: so the link works when
 * it is painted, whenever the code of the page comes. Until then it also follows the choice of an advertiser: it puts it
 * into the link and into the page's address, as the page does, and notes it for `replayInput`. With
 * `wait` or `until` in the address something has to pass before, which the page knows better, and an address without a
 * known app leads nowhere. The page's policy allows this very text.
 */
export const FILL_EARLY_LINK = [
  '{let d=document,s=d.currentScript,a=s.previousSibling,l=location,q=new URLSearchParams(l.search),',
  `i=q.get("app"),t=a.getAttribute("${EARLY_LINK}").replace("{app}",${String(APP_ID_PATTERN)}.test(i||"")?i:"{"),`,
  'r=[...d.getElementsByName("advertiser")],n=()=>r.find(e=>e.checked),o=n(),',
  'f=e=>{if(!a.closest("[data-unit]:not([data-source])"))return;',
  'let u=new URL(t,l),p=u.searchParams,c=n();',
  'e&&c!=o&&(c.wasChosen=1,q.set("advertiser",c.value),history.replaceState(history.state,"","?"+q+l.hash));',
  'c&&(p.has("advertiser")&&p.set("advertiser",c.value),o=c);',
  'for(let k of[...p.keys()])p.get(k)||(q.get(k)?p.set(k,q.get(k)):p.delete(k));',
  'a.href=u.pathname+u.search;a.setAttribute("aria-disabled","false")};',
  's.remove();',
  // A link whose address names the advertiser begins with that one. A choice is a click, by keyboard as well.
  'if(!/{/.test(t)&&!q.has("wait")&&!q.has("until")){let c=/r=\\w/.test(t)?0:r.find(e=>e.value==q.get("advertiser"));',
  'c&&(c.checked=!0);f();addEventListener("click",f,!0)}}',
].join('');

const SCRIPT = `<script>${FILL_EARLY_LINK}</script>`;

/** No page has more, and the markup comes from the code of a release. */
const MAX_LINKS = 10;

/** @param rendered the markup of a page, as React writes it: every `<` begins a tag there */
export function fillEarlyLinks(rendered: string): string {
  let filled = rendered;
  let from = 0;
  for (let links = 0; links < MAX_LINKS; links++) {
    const at = filled.indexOf(` ${EARLY_LINK}="`, from);
    const end = at < 0 ? -1 : filled.indexOf('</a>', at);
    if (end < 0) break;
    from = end + '</a>'.length;
    filled = filled.slice(0, from) + SCRIPT + filled.slice(from);
  }
  return filled;
}
