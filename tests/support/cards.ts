/** Texts of an invented advertiser, in the languages that journeys use. */
const boat = {
  title: {
    en: 'A boat for every bay',
    ar: 'قارب لكل خليج',
    de: 'Ein Boot für jede Bucht',
    ja: 'どの入り江にも合うボート',
  },
  description: {
    en: 'Light enough for one, wide enough for four, and ready in two minutes.',
    ar: 'خفيف يحمله شخص واحد، ويتسع لأربعة، ويجهز في دقيقتين.',
    de: 'Leicht genug für einen, breit genug für vier, und in zwei Minuten bereit.',
    ja: '一人で運べて四人乗れる。二分で準備できます。',
  },
};

const looks = [
  ['scarlet', 'film'],
  ['cobalt', 'globe'],
  ['sky', 'phone'],
  ['sunset', 'images'],
  ['graphite', 'music'],
  ['leaf', 'shield'],
] as const;

/** A card of each look, the last one a sister site's: a field of the site configuration. */
export const everyLook = {
  prefix: 'https://partner.example/mlink/go?to=',
  list: [
    ...looks.map(([look, icon]) => ({ type: 'ad', class: look, icon, ...boat, url: look })),
    { type: 'sister', class: 'sea', icon: 'sparkles', ...boat, url: 'sister' },
  ],
};

/** A program for computers: a field of a downloader page. */
export const desktopProgram = {
  name: 'Harbour Studio',
  cells: {
    win: { url: 'https://partner.example/mlink/download.php?pid=11', requires: 'Windows 10, 11' },
    mac: { url: 'https://partner.example/mlink/download.php?pid=12', requires: 'macOS 13' },
  },
  page_url: { de: 'https://partner.example/de/studio', default: 'https://partner.example/studio' },
};
