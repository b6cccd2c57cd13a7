#!/usr/bin/env bash
# One would guess: i18n.loadAndActivate() is load() followed by activate(), as its name and the guides for lazy catalogues
#   read: the messages of a second unit join those of the first.
# What happens: load() merges into the locale's catalogue, loadAndActivate() replaces it. Where units of a page share one
#   i18n, the unit that comes second wipes the first one's texts, which fall back to the message ids ("oyIs-l") at once,
#   also in parts that are on the screen. A locale given in `locales` is no fallback for single messages either.
#   A call of load() for another locale than the active one still tells every subscriber to render.
# Why it matters: each unit alone is right, and every test of it; only pages with two units lose texts, and which one
#   depends on what arrives last. In federated units: i18n.load(), then i18n.activate() where the locale changes.
# Versions: @lingui/core 6.11.0, @lingui/react 6.11.0, React 19.3.1.
# Source: @lingui/core dist/index.mjs, loadAndActivate and _load; https://lingui.dev/ref/core#i18n.loadandactivate.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @lingui/core@6.11.0 @lingui/react@6.11.0 @lingui/message-utils@6.11.0 react@19.3.1 react-dom@19.3.1
cat > run.mjs <<'JS'
import { setupI18n } from '@lingui/core';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { I18nProvider, useLingui } from '@lingui/react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const prices = generateMessageId('Prices');
const cart = generateMessageId('Your cart');
const units = [{ [prices]: ['Giá'] }, { [cart]: ['Giỏ hàng'] }];
const Texts = () => {
  const { i18n } = useLingui();
  return `${i18n._(prices)}, ${i18n._(cart)}`;
};
const page = (i18n) => renderToStaticMarkup(createElement(I18nProvider, { i18n }, createElement(Texts)));
function tell(name, seen, expected) {
  console.log(`${seen === expected ? 'as said' : `CHANGED (${expected})`}  ${name}: ${seen}`);
  if (seen !== expected) process.exitCode = 1;
}
function start(way, i18n = setupI18n({ locale: 'vi', messages: { vi: {} } })) {
  for (const messages of units) way(i18n, messages);
  return i18n;
}
const merged = 'Giá, Giỏ hàng';
tell('load()', page(start((i18n, messages) => i18n.load('vi', messages))), merged);
tell('load(), activate()', page(start((i18n, messages) => {
  i18n.load('vi', messages);
  i18n.activate('vi');
})), merged);
tell('loadAndActivate()', page(start((i18n, messages) => i18n.loadAndActivate({ locale: 'vi', messages }))), `${prices}, Giỏ hàng`);
tell('loadAndActivate(), then load()', page(start((i18n, messages) => {
  if (prices in messages) i18n.loadAndActivate({ locale: 'vi', messages });
  else i18n.load('vi', messages);
})), merged);

// What the first unit shows already, without a render by its own hand.
const i18n = setupI18n({ locale: 'vi', messages: { vi: {} } });
i18n.loadAndActivate({ locale: 'vi', messages: units[0] });
const shown = [];
i18n.on('change', () => shown.push(i18n._(prices)));
i18n.loadAndActivate({ locale: 'vi', messages: units[1] });
tell('what subscribers of the first unit read', shown.join(), prices);
shown.length = 0;
i18n.load('en', { [prices]: ['Prices'] });
tell('changes told for a locale that is not active', String(shown.length), '1');

const fallback = setupI18n({ locale: 'vi', locales: ['vi', 'en'], messages: { vi: {}, en: { [prices]: ['Prices'] } } });
tell("locales: ['vi', 'en'], the message only in en", fallback._(prices), prices);
JS
NODE_ENV=production node run.mjs
