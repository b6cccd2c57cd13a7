import { OWN_NAVIGATION, type TestApi } from './create-test-api.ts';

interface Browser {
  /** The cookie that the browser sends; it never stores one. */
  cookie?: string | undefined;
  /** Its address, for a server that trusts one proxy. */
  address?: string;
}

/** The same API, called by another browser. */
export function speakAs(api: TestApi, { cookie, address }: Browser): TestApi {
  const own = { ...(cookie && { cookie }), ...(address && { 'x-forwarded-for': address }) };

  return {
    ...api,
    ask: (path, init = {}) =>
      api.ask(path, { ...init, headers: { ...own, ...(init.headers as Record<string, string> | undefined) } }),
    visit: (path, headers = OWN_NAVIGATION, method = 'GET') => api.visit(path, { ...headers, ...own }, method),
    post: (path, body) =>
      api.ask(path, {
        method: 'POST',
        headers: { ...own, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/** The same API, called by a browser that keeps its cookie. */
export function openBrowser(api: TestApi, { address }: Pick<Browser, 'address'> = {}): TestApi {
  let cookie: string | undefined;
  const own = () => speakAs(api, { cookie, ...(address && { address }) });
  const keep = (res: Response) => {
    cookie = res.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return res;
  };

  return {
    ...api,
    ask: (path, init) => own().ask(path, init).then(keep),
    post: (path, body) => own().post(path, body).then(keep),
    visit: (path, headers, method) => own().visit(path, headers, method).then(keep),
  };
}
