/**
 * Words that a language does without, because they say something else there, are nobody's words, or are not the ones
 * that were chosen: `[words, better]`. `words` is a regular expression that is matched without regard to case and, in
 * languages that put spaces between words, to whole words only.
 */
type Avoided = readonly (readonly [words: string, better: string])[];

const kbps = ['kbit/s', 'kbps'] as const;

export const avoidedWords: Readonly<Record<string, Avoided>> = {
  en: [
    ['cannot|(do|does|did|will) not', 'the contraction'],
    ['e-mail', 'email'],
    ['log-in', 'login'],
    ['licence', 'license'],
    ['\\p{L}*(recognis|organis)\\p{L}*|colou?rs?(?<=our|ours)|labelled', 'the American spelling'],
    ['occured', 'occurred'],
    ['answer page', 'results page'],
    ['your sounds', 'your audio files'],
    ['at hand|read most|read lately|last changed|causes and cures', 'what people say'],
    kbps,
  ],
  ar: [
    ['(ال)?مؤثر', 'تأثير: an influencer is none'],
    ['أصواتك|أصوات', 'ملفات صوتية: voices are none'],
    ['الصورة النظيفة', 'فيديو بلا شعار'],
    ['حيثما كنت', 'على جهازك'],
    ['صفحة الإجابة', 'صفحة النتائج'],
    ['يرجى', 'يُرجى'],
    ['(?-i:TikTok)', 'تيك توك'],
  ],
  bg: [
    ['през нас', 'през сървъра ни'],
    ['звуците ти', 'аудиофайловете ти'],
    ['(голяма|чиста|чистата) картина|лого в картината', 'резолюция, видео'],
    ['както на устройството', 'системна'],
    ['страницата с отговора', 'страницата с резултатите'],
  ],
  da: [
    ['skaber(en|ens|e)?', 'bruger(en), kunstner'],
    ['svarsiden', 'resultatsiden'],
    ['som på enheden', 'system'],
    ['dine lyde', 'dine lydfiler'],
    ['afspilles, hvor du er', 'virker på din enhed'],
    ['begynder at ankomme', 'begynder at blive hentet'],
  ],
  de: [
    ['urhebers?', 'Creator, Account; in der MP3 Interpret'],
    ['antwortseite', 'Ergebnisseite'],
    ['wie auf dem gerät', 'System'],
    ['(größere|saubere) bild', 'höhere Auflösung, Video ohne Logo'],
  ],
  el: [
    ['link|browser|περιηγητή\\p{L}*', 'σύνδεσμος, πρόγραμμα περιήγησης'],
    ['όπου κι αν είστε', 'στη συσκευή σας'],
    ['σελίδα απάντησης', 'σελίδα αποτελεσμάτων'],
    ['όπως στη συσκευή', 'σύστημα'],
    ['οι ήχοι σας', 'τα αρχεία ήχου σας'],
    ['σιγάζει', 'αφαιρεί τον ήχο'],
  ],
  es: [
    ['vídeos?', 'video: neutral on both sides of the ocean'],
    ['\\p{L}+[áé]is', 'the third person'],
    ['ordenador(es)?|móvil(es)?', 'computadora, teléfono'],
    ['donde estés', 'en tus dispositivos'],
    ['página de respuesta', 'página de resultados'],
    ['como en el dispositivo', 'sistema'],
  ],
  fr: [
    ['image nette', 'vidéo sans logo: nette is sharp'],
    ['où que vous soyez', 'sur vos appareils'],
    ['page de réponse', 'page de résultats'],
    ['comme l’appareil', 'système'],
    ['vos sons', 'vos fichiers audio'],
    ['en est converti', 'est obtenu par conversion'],
  ],
  hi: [
    ['आवाज़(ें|ों)?', 'ऑडियो, साउंड: आवाज़ is a voice'],
    ['जवाब वाला पेज', 'नतीजे वाला पेज'],
    ['डिवाइस जैसा', 'सिस्टम'],
    kbps,
  ],
  hu: [
    ['rajtunk', 'a kiszolgálónkon'],
    ['a hangjaid(at)?', 'a hangfájljaid'],
    ['nálunk hiba', 'hiba a kiszolgálónkon'],
    ['mint az eszközön', 'rendszer'],
    ['válaszoldal(on)?', 'eredményoldal'],
    ['történet(et|ek)?', 'sztori'],
    ['csinálj', 'alakíts'],
  ],
  id: [
    ['suaramu', 'file audiomu'],
    ['lagi sebentar lagi', 'beberapa saat lagi'],
    ['tulis kepada kami', 'kirim pesan kepada kami'],
    ['halaman jawaban', 'halaman hasil'],
    kbps,
  ],
  it: [
    ['(?-i:tuo paese)', 'tuo Paese: paese is a village'],
    ['pagina di risposta', 'pagina dei risultati'],
    ['come sul dispositivo', 'sistema'],
    ['dove sei', 'sui tuoi dispositivi'],
  ],
  ja: [['透かし', 'ロゴ'], ['こちら側', 'サーバー'], ['写真の投稿', 'フォト投稿'], kbps],
  ko: [['(?-i:TikTok)', '틱톡'], ['원본 소리', '원본 사운드'], ['첫 페이지', '홈'], kbps],
  nl: [
    ['(tiktok-|foto|privé)bericht(en)?', 'post'],
    ['speelt (overal|vrijwel|waar|op|ook|niet)|dat overal speelt', 'werkt, is af te spelen'],
    ['waar jij bent', 'op jouw apparaat'],
    ['antwoordpagina', 'resultatenpagina'],
    ['zoals (op )?het apparaat', 'systeem'],
    ['omslag(en)?', 'hoes, cover'],
    ['diavoorstelling(en)?', 'fotoreeks'],
    ['verhalen|(openbaar|één|een) verhaal', 'story'],
  ],
  pl: [
    ['wymagana liczba znaków', 'co najmniej'],
    ['odpowiedział błędem', 'zwrócił błąd'],
    ['jak w urządzeniu', 'systemowy'],
    ['strona z odpowiedzią|stronie z odpowiedzią', 'strona wyników'],
    ['krzywoprzysięstw\\p{L}*', 'złożenie fałszywego oświadczenia'],
  ],
  pt: [
    ['roda onde você está', 'roda no seu aparelho'],
    ['você mesmo', 'manualmente'],
    ['seus sons', 'seus áudios'],
    ['página de resposta', 'página de resultados'],
    ['como no aparelho|como no dispositivo', 'sistema'],
    ['salvamento', 'salvar'],
  ],
  ru: [
    ['ваши звуки', 'аудиофайлы'],
    ['вы следующий', 'сейчас ваша очередь'],
    ['ответил ошибкой', 'вернул ошибку'],
    ['читаем звук', 'загружаем звук'],
    ['страниц\\p{L}+ ответа', 'страница результатов'],
    ['как на устройстве', 'системная'],
    ['открыт(ую|ая|ой) публикаци\\p{L}+', 'публичная публикация'],
  ],
  sr: [
    ['sažet\\p{L}*', 'kompresovan: sažet is concise'],
    ['lepi(te)? ih', 'nalepi ih'],
    ['krivokletstv\\p{L}*', 'davanje lažne izjave'],
    ['pravne strane', 'pravne informacije'],
    ['tvoji zvuci', 'tvoji audio-fajlovi'],
    ['stranic\\p{L}+ odgovora', 'stranica sa rezultatima'],
    ['kao na uređaju', 'sistem'],
  ],
  sv: [
    ['skapare(n|ns)?', 'kreatör; i MP3 artist'],
    ['spelas där du är', 'fungerar på dina enheter'],
    ['svarssida(n)?', 'resultatsida'],
    ['webbkarta', 'webbplatskarta'],
    ['ärendenummer', 'referens'],
    ['som på enheten', 'system'],
    ['dina ljud', 'dina ljudfiler'],
  ],
  th: [
    ['ภาพสะอาด', 'ภาพไม่มีโลโก้'],
    ['เสียงของคุณถูก', 'ไฟล์เสียงของคุณ'],
    ['หน้าคำตอบ', 'หน้าผลลัพธ์'],
    ['ข้อสงวนสิทธิ์', 'ข้อจำกัดความรับผิด'],
    ['ช่องทางเปิด', 'API แบบเปิด'],
    kbps,
  ],
  tl: [
    ['larawan at tunog', 'video at audio: larawan is a photo'],
    ['walang galaw', 'hindi binago'],
    ['pinatay ng', 'in-off ng'],
    ['page ng sagot', 'page ng resulta'],
    ['(?-i:Kontak)', 'makipag-ugnayan'],
    ['gaya ng nasa device', 'system'],
    kbps,
  ],
  tr: [
    ['oynar', 'çalışır, oynatılabilir'],
    ['ileti(niz|nizi|ler|leriniz)?', 'mesaj'],
    ['tekrar', 'yeniden'],
    ['denetley(ip|in)', 'kontrol et'],
    ['özgün ses\\p{L}*', 'orijinal ses'],
    ['en çok bir', 'en fazla bir'],
    ['öbür', 'diğer'],
    kbps,
  ],
  zh: [['没有水印', '无水印'], ['善意地', '善意'], ['画面没有标志', '画面没有 Logo'], kbps],
};

/** Written without spaces between words. */
const unspaced: ReadonlySet<string> = new Set(['ja', 'ko', 'th', 'zh']);

const patterns = new Map(
  Object.entries(avoidedWords).map(([locale, avoided]) => [
    locale,
    avoided.map(([words, better]) => ({
      words: new RegExp(
        unspaced.has(locale) ? words : `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])`,
        'iu',
      ),
      better,
    })),
  ]),
);

/** What a text says in words that its language avoids. */
export function avoidedIn(locale: string, text: string): string[] {
  return (patterns.get(locale) ?? []).flatMap(({ words, better }) => {
    const found = words.exec(text);
    return found === null ? [] : [`says "${found[0]}"; better: ${better}`];
  });
}
