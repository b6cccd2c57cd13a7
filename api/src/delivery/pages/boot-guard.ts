import { DEVICE_PARAMS } from '@app/contracts/device-params';
import { FAILED_SHELL_COOKIE } from '@app/contracts/page-reports';

/**
 * A script in every document, for a shell that cannot start: its script or stylesheet does not arrive, or it throws
 * before it has rendered. What does not arrive is asked for once more, past the cache. After that the guard reports it.
 * When there is a last good shell it also notes the failed version in a cookie and reloads, and the server sends the last
 * good one. It reloads once: not for a version that the cookie has already, nor where the browser keeps no cookies.
 *
 * The element has the version (`data-version`), whether there is a last good one (`data-good`), and whether QA only
 * simulates a failure, which is not reported (`data-quiet`). The page's policy allows this very text.
 *
 * A browser without cascade layers (Chrome 98, Safari 15.3, and before) lacks so much else that the shell does not
 * start there. The page says so, and it is not reported.
 */
export const BOOT_GUARD = [
  '{let d=document,A=addEventListener,{version:v,good:g,quiet:q}=d.currentScript.dataset,',
  `c="${FAILED_SHELL_COOKIE}="+v,h=()=>(d.cookie+";").includes(c+";"),`,
  'o=!window.CSSLayerBlockRule;',
  'o&&A("DOMContentLoaded",()=>d.querySelector(".boot").hidden=!(d.querySelector(".too-old").hidden=!1));',
  // Firefox and WebKit fire `error` for requests that they cancel because the visitor leaves. A download fires
  // `beforeunload` as well, and the back/forward cache may keep the page: then it asks again after three seconds.
  'let l;onbeforeunload=()=>{l=Date.now()};',
  // Without its translation (`static/translations`) the page is in English. Only preloads have `as`. An error of injected
  // code has the address of the page, whose query any link can set.
  'A("error",({target:t,filename:f})=>{let e=d.documentElement.dataset,u=t.src||t.href,b=Date.now()-l<3e3;',
  'o||e.started||t.as||!/^[^?#]*s\\/shell\\/(?!.*c.tr)/.test(u||f)||(',
  // Chromium and Firefox keep bytes that they have refused, and ask for no others. This replaces them also for all pages
  // that follow.
  'f||t.dataset.again?!b&&(e.failed="",!h())&&(',
  'q||navigator.sendBeacon("/api/load-reports",new Blob([',
  '`{"unit":"shell","version":"${v}","failure":"${f?"crashed":"error"}"}`],{type:"application/json"})),',
  'g&&(d.cookie=c+";path=/;max-age=86400;samesite=lax",h()&&location.reload()))',
  ':(t.dataset.again=1,setTimeout(()=>fetch(u,{cache:"reload"}).catch(()=>0).then(()=>',
  't.replaceWith(d.createRange().createContextualFragment(t.outerHTML))),b*3e3)))},!0);',
  // A reloaded page begins at its top. After “back”, and at an anchor, the browser scrolls it. Chromium heeds what is set
  // here when the page is laid out at once, which reading its place asks for; Firefox has decided before, so its place is
  // taken back, unless the visitor has begun to read. `auto` again is for the next “back” to this page.
  'let s=history,k,r=()=>{s.scrollRestoration="auto"};',
  '(performance.getEntriesByType("navigation")[0]||{}).type=="reload"&&(s.scrollRestoration="manual",scrollY,',
  '["wheel","keydown"].map(n=>A(n,()=>k=1)),A("DOMContentLoaded",()=>k||location.hash||scrollTo(0,0)),',
  'A("load",()=>setTimeout(r)),A("pagehide",r));',
  // A form that only works with its page would reload it, until it is hydrated, and lose what was typed. An early click
  // is noted: the page repeats it once it is hydrated. Forms with a method are sent by the browser itself.
  'let w="[data-unit]:not([data-source]) ";',
  'A("submit",e=>e.target.matches(w+":not([method])")&&e.preventDefault(),!0);',
  'A("click",e=>e.target.closest(w+"button")&&(self.pressedEarly=e),!0);',
  // Links get the device of the address with the first render in the browser. This adds it to a link that is followed
  // before.
  'for(let n of["pointerdown","click"])A(n,({target:t})=>{',
  'k=1;let a=t.closest("a[href]"),u=a&&d.querySelector(w)&&new URL(a.href);',
  'if(u&&u.host==location.host)for(let[k,v]of new URLSearchParams(location.search))',
  `/^(${DEVICE_PARAMS.join('|')})$/.test(k)&&!u.searchParams.has(k)&&(u.searchParams.set(k,v),a.href=u)},!0)}`,
].join('');
