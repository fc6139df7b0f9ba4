import type { Locale } from '../../../../i18n/languages.ts';
import type { NetworkId } from './networks.ts';

/** The usual share networks by language, the most usual first; phones show the first four. */
export const usualNetworks: Readonly<Record<Locale, readonly NetworkId[]>> = {
  en: ['facebook', 'x', 'pinterest', 'reddit', 'whatsapp', 'email'],
  ar: ['whatsapp', 'x', 'telegram', 'facebook', 'pinterest', 'email'],
  pl: ['facebook', 'whatsapp', 'x', 'pinterest', 'telegram', 'email'],
  tr: ['whatsapp', 'x', 'telegram', 'facebook', 'pinterest', 'email'],
  it: ['whatsapp', 'facebook', 'telegram', 'x', 'pinterest', 'email'],
  bg: ['viber', 'facebook', 'whatsapp', 'telegram', 'x', 'email'],
  ru: ['vk', 'telegram', 'ok', 'whatsapp', 'viber', 'email'],
  hu: ['facebook', 'viber', 'whatsapp', 'x', 'pinterest', 'email'],
  es: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  de: ['whatsapp', 'facebook', 'telegram', 'x', 'pinterest', 'email'],
  pt: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  sr: ['viber', 'facebook', 'whatsapp', 'telegram', 'x', 'email'],
  sv: ['facebook', 'whatsapp', 'x', 'reddit', 'pinterest', 'email'],
  fr: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  el: ['viber', 'facebook', 'whatsapp', 'x', 'pinterest', 'email'],
  nl: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  da: ['facebook', 'whatsapp', 'x', 'reddit', 'pinterest', 'email'],
  tl: ['facebook', 'viber', 'x', 'whatsapp', 'pinterest', 'email'],
  th: ['line', 'facebook', 'x', 'threads', 'pinterest', 'email'],
  hi: ['whatsapp', 'telegram', 'facebook', 'x', 'pinterest', 'email'],
  id: ['whatsapp', 'telegram', 'facebook', 'x', 'line', 'email'],
  ko: ['naver', 'band', 'x', 'facebook', 'line', 'email'],
  zh: ['weibo', 'qzone', 'x', 'telegram', 'facebook', 'email'],
  ja: ['line', 'x', 'hatena', 'facebook', 'threads', 'email'],
};
