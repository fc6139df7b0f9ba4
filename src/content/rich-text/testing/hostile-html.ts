import { createRequire } from 'node:module';
import fc from 'fast-check';

/** The attacks of DOMPurify's own test suite, from its last release that carried them. */
function fromDomPurify(): string[] {
  const fixtures = createRequire(import.meta.url)('dompurify-0.8/test/fixtures/expect.js') as readonly {
    readonly payload: string;
  }[];
  return fixtures.map(({ payload }) => payload);
}

const character = String.fromCharCode;
const decimal = (text: string, end: string) =>
  Array.from(text, (letter) => `&#${String(letter.charCodeAt(0)).padStart(7, '0')}${end}`).join('');
const hex = (text: string) =>
  Array.from(text, (letter) => `&#x${letter.charCodeAt(0).toString(16)}`).join('');

const call = 'alert(1)';
const address = `javascript:${call}`;

/** Ways of writing an address that runs. */
const addresses = [
  address,
  address.toUpperCase().replace('ALERT', 'alert'),
  decimal(address, ';'),
  decimal(address, ''),
  hex(address),
  ...['\t', '\n', '\r', '&#x09;', '&#x0A;', '&Tab;', '&NewLine;', character(0)].map((break_) =>
    address.replace('ascript', `${break_}ascript`),
  ),
  ` &#14;  ${address}`,
  `${character(1)}${address}`,
  'javascript&colon;alert(1)',
  'javascript://%0aalert(1)',
  'vbscript:msgbox(1)',
  'livescript:[code]',
  `data:text/html,<script>${call}</script>`,
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
];

/** Places that take an address: those of the OWASP cheat sheet on filter evasion, and newer ones. */
const addressHolders = [
  (to: string) => `<a href="${to}">x</a>`,
  (to: string) => `<a href=${to}>x</a>`,
  (to: string) => `<img src="${to}">`,
  (to: string) => `<img src=\`${to}\`>`,
  (to: string) => `<img dynsrc="${to}" lowsrc="${to}">`,
  (to: string) => `<input type="image" src="${to}">`,
  (to: string) => `<body background="${to}">`,
  (to: string) => `<table background="${to}"><td background="${to}">`,
  (to: string) => `<bgsound src="${to}">`,
  (to: string) => `<link rel="stylesheet" href="${to}">`,
  (to: string) => `<meta http-equiv="refresh" content="0;url=${to}">`,
  (to: string) => `<iframe src="${to}"></iframe>`,
  (to: string) => `<frameset><frame src="${to}"></frameset>`,
  (to: string) => `<object data="${to}"></object><embed src="${to}">`,
  (to: string) => `<base href="${to}//"><a href="x">x</a>`,
  (to: string) => `<form action="${to}"><button formaction="${to}">x</button></form>`,
  (to: string) => `<svg><a xlink:href="${to}"><text y="20">x</text></a><use href="${to}"/></svg>`,
  (to: string) => `<svg><animate attributeName="href" values="${to}"/></svg>`,
  (to: string) => `<math href="${to}"><mtext>x</mtext></math>`,
  (to: string) => `<div style="background-image: url(${to})">x</div>`,
  (to: string) => `<style>li { list-style-image: url("${to}") }</style><ul><li>x</ul>`,
  (to: string) => `<video poster="${to}"><source src="${to}"></video>`,
  (to: string) => `[x](${to})`,
  (to: string) => `![x](${to})`,
  (to: string) => `<${to}>`,
  (to: string) => `[x]: ${to}\n\n[x]`,
];

/** Markup that runs by itself or is read differently the second time. */
const markup = [
  `<script>${call}</script>`,
  `<SCRIPT/XSS SRC="data:text/javascript,${call}"></SCRIPT>`,
  `<<SCRIPT>${call};//<</SCRIPT>`,
  `<script src=data:text/javascript,${call}?< B >`,
  `<img """><script>${call}</script>">`,
  `</title></style></textarea></xmp><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+${call}//'>`,
  `<img src=x onerror=${call}>`,
  `<img src=/ onerror="${decimal(call, '')}"></img>`,
  `<img src=# onmouseover="${call}">`,
  `<img/src="x"/onerror=${call}//`,
  `<img src="x:x" onerror="${call}"`,
  `<svg/onload=${call}>`,
  `<svg><script>${call}</script></svg>`,
  `<svg><script xlink:href="data:,${call}"/></svg>`,
  `<svg><style><img src=x onerror=${call}></style></svg>`,
  `<svg><desc><img src=x onerror=${call}></desc></svg>`,
  `<svg><foreignObject><body onload=${call}></foreignObject></svg>`,
  `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  `<body onload!#$%&()*~+-_.,:;?@[/|\\]^\`=${call}>`,
  `<details open ontoggle=${call}><summary>x</summary></details>`,
  `<video><source onerror=${call}></video>`,
  `<audio src=x onerror=${call}></audio>`,
  `<input autofocus onfocus=${call}>`,
  `<select autofocus onfocus=${call}><option>x</select>`,
  `<marquee onstart=${call}>x</marquee>`,
  `<a id=x tabindex=1 autofocus onfocus=${call}>x</a>`,
  `<div style="animation-name:x" onanimationstart=${call}>x</div><style>@keyframes x{}</style>`,
  `<div style="width: expression(${call})">x</div>`,
  `<xss style="xss:expr/*XSS*/ession(${call})">`,
  `<!--[if gte IE 4]><script>${call}</script><![endif]-->`,
  `<!--><img src=x onerror=${call}>-->`,
  `<!-- --!><img src=x onerror=${call}> -->`,
  `<? foo="><script>${call}</script>">`,
  `<! foo="><script>${call}</script>">`,
  `</ foo="><script>${call}</script>">`,
  `<xml id="x"><i><b><img src="javas<!-- -->cript:${call}"></b></i></xml><span datasrc="#x"></span>`,
  `<noscript><p title="</noscript><img src=x onerror=${call}>"></noscript>`,
  `<textarea><img title="</textarea><img src=x onerror=${call}>"></textarea>`,
  `<xmp><p title="</xmp><img src=x onerror=${call}>"></xmp>`,
  `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  `<template><img src=x onerror=${call}></template>`,
  `<div><template shadowrootmode=open><img src=x onerror=${call}></template></div>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${call}&gt;">`,
  `<math><mtext><table><mglyph><style><math><img src onerror=${call}></style></table></mtext></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${call}></style></form>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${call}>">`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${call}></style></annotation-xml>`,
  `<svg><p><style><g title="</style><img src=x onerror=${call}>">`,
  `<select><style></select><img src=x onerror=${call}></style></select>`,
  `<table><caption><svg><title><table><caption><style><img src=x onerror=${call}></style></caption>`,
  `<b><p><a href=x><table><a href=y><b><p title="<img src=x onerror=${call}>">`,
  `${'<div>'.repeat(600)}<math><mtext><style><img src=x onerror=${call}></style>`,
  `<p id="content"><form id=attributes><input name=nodeName><img name=getElementById>`,
  `<a class="keep-link" href="//evil.example" target=_blank onclick=${call} ping="//evil.example">x</a>`,
  `<a href="https://clipferry.example&commat;evil.example/" style="position:fixed;inset:0">x</a>`,
  `\`\`\`html"><img src=x onerror=${call}>\nx\n\`\`\``,
  `## <img src=x onerror=${call}> x`,
  `[x](<https://e.example/" onmouseover="${call}>)`,
  `![" onerror="${call}](x.png)`,
  `![x](x.png "\\" onerror=\\"${call}")`,
  `[^x" onmouseover="${call}]\n\n[^x" onmouseover="${call}]: y`,
  `| a"><img src=x onerror=${call}> |\n| - |\n| <svg onload=${call}> |`,
];

/** Texts that try to run something, or to look like something of the site's own. */
export const hostileTexts: readonly string[] = [
  ...fromDomPurify(),
  ...addressHolders.flatMap((hold) => addresses.map(hold)),
  ...markup,
];

const wrappers = [
  (text: string) => text,
  (text: string) => `> ${text}`,
  (text: string) => `- ${text}`,
  (text: string) => `<svg>${text}`,
  (text: string) => `<math><mtext>${text}`,
  (text: string) => `<table><tr>${text}`,
  (text: string) => `<p>${text}</p>`,
  (text: string) => `<a href="/x">${text}</a>`,
  (text: string) => `<picture>${text}</picture>`,
  (text: string) => `<details><summary>${text}`,
  (text: string) => `<noscript>${text}</noscript>`,
  (text: string) => `<style>${text}`,
  (text: string) => `<!--${text}-->`,
];

const scraps = [
  '<',
  '>',
  '"',
  "'",
  '`',
  '/',
  '&',
  '\0',
  '\n',
  '\t',
  '<!--',
  '-->',
  ']]>',
  '<p>',
  '</p>',
  '</svg>',
];

/** Hostile texts that were cut, joined or wrapped, with inserted fragments or changed case. */
export const mutatedTexts: fc.Arbitrary<string> = fc
  .record({
    first: fc.constantFrom(...hostileTexts),
    second: fc.constantFrom(...hostileTexts),
    cut: fc.nat(),
    scrap: fc.constantFrom(...scraps),
    at: fc.nat(),
    outer: fc.constantFrom(...wrappers),
    inner: fc.constantFrom(...wrappers),
    upper: fc.boolean(),
  })
  .map(({ first, second, cut, scrap, at, outer, inner, upper }) => {
    const joined = inner(first.slice(0, cut % (first.length + 1))) + second;
    const place = at % (joined.length + 1);
    const whole = outer(joined.slice(0, place) + scrap + joined.slice(place));
    return upper ? whole.replace(/<(\/?)([a-z]+)/g, (_, end, name) => `<${end}${name.toUpperCase()}`) : whole;
  });
