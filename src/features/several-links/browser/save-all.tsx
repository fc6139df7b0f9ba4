import { languages } from '../../../i18n/languages.ts';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { offersPictures } from '../../../site/pages/tool/files/choose-options.ts';
import { FileOption, OptionFace, optionLook } from '../../../site/pages/tool/files/file-option.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';

interface SaveAllProps {
  /** The text of the list. */
  text: string;
  results: readonly ResolveResult[];
  buttons: readonly DownloadButton[];
  onAnnounce(text: string): void;
}

/** Ids of a post's option for each kind of zip, the best first. */
const wanted = { mp4: ['mp4', 'zip'], mp3: ['mp3'] } as const;

type ZipFormat = keyof typeof wanted;

/** All files of the list at once: the videos and pictures, or the sounds, as the page offers them. */
export function SaveAll({ buttons, ...list }: SaveAllProps) {
  const formats: ZipFormat[] = [];
  if (offersPictures(buttons)) formats.push('mp4');
  if (buttons.includes('mp3')) formats.push('mp3');
  return (
    <div className="list-all">
      {formats.map((format, at) => (
        <SaveFormat key={format} {...list} format={format} strength={at === 0 ? 'action' : 'plain'} />
      ))}
    </div>
  );
}

interface SaveFormatProps extends Omit<SaveAllProps, 'buttons'> {
  format: ZipFormat;
  strength: 'action' | 'plain';
}

function SaveFormat({ text, results, format, strength, onAnnounce }: SaveFormatProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const { intl } = languages[useLocale()];
  const options = optionsOf(results, format);
  const photos = options.filter((option) => option.format === 'zip').length;
  const contents = [
    ...(options.length > photos ? [t('list.videos', { count: options.length - photos })] : []),
    ...(photos > 0 ? [t('list.photos', { count: photos })] : []),
  ];
  const said = new Intl.ListFormat(intl, { type: 'unit' }).format(contents);
  const words =
    format === 'mp4'
      ? { name: t('option.zip'), remark: said }
      : { name: t('list.sounds', { count: options.length }), remark: '' };
  const [first] = results;
  const option = zipOf(options, format);
  // It keeps its place until there is a file.
  if (first === undefined || options.length === 0)
    return (
      <div className="option">
        <a {...optionLook(option, strength, undefined)} aria-disabled="true">
          <OptionFace option={option} download={undefined} another={false} facts={[words.remark]}>
            {words.name}
          </OptionFace>
        </a>
      </div>
    );
  const title = format === 'mp4' ? said : words.name;
  const file: RequestedFile = {
    post: { ...first.post, id: text, title },
    option,
    parts: options.flatMap(({ status_href }) => status_href ?? []),
  };
  return <FileOption key={option.id} {...{ file, words, strength, onAnnounce }} />;
}

/** The files of a zip, one of each post. What another backend has cannot be packed here. */
function optionsOf(results: readonly ResolveResult[], format: ZipFormat): DownloadOption[] {
  return results.flatMap((result) =>
    wanted[format]
      .flatMap((id) => result.options.filter((option) => option.id === id && !isElsewhere(option)))
      .slice(0, 1),
  );
}

const ticketOf = ({ href }: DownloadOption) => href.slice(href.lastIndexOf('/') + 1);

/** A zip of files, as an option of all of their posts. */
const zipOf = (options: readonly DownloadOption[], format: ZipFormat): DownloadOption => ({
  ...{ id: `list-${format}-${options.length}`, format: 'zip', label: 'ZIP' },
  ...{ width: null, height: null, bytes: null, codec: null },
  href: `/api/files/zip?${options.map((option) => `file=${ticketOf(option)}`).join('&')}`,
});
