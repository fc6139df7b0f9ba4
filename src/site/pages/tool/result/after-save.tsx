import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ResolveResult } from '../../../api.ts';
import { presentStart, startWith, storedStart, storeStart } from '../../../browser/device/one-tap.ts';
import { fileKey, useDownloads } from '../../../browser/downloads/downloads.ts';
import { isSaved } from '../../../browser/downloads/file-requests.ts';
import { useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { optionName } from '../files/file-option.tsx';
import { Quicker } from '../introduction/hero-below.tsx';
import { type ResultPartProps, ResultParts } from './result-parts.tsx';

interface AfterSaveProps {
  parts: ResultPartProps;
  /** An article that says where files are found on this device; null where there is none. */
  help: string | null;
}

type Option = ResolveResult['options'][number];

/** Whether a format can be a crate of the dock. */
const isFormat = (id: string) => id === 'mp4' || id === 'mp4-hd' || id === 'mp3' || id === 'm4a';

/**
 * Advice after the first press: where the file is found, and quicker ways. After this device's second file it asks,
 * once, whether that format should always start by itself.
 */
export function AfterSave({ parts, help }: AfterSaveProps) {
  const t = useTranslate();
  const { post } = parts.result;
  const own = [...useDownloads().values()].filter(({ file }) => file.post.id === post.id);
  const asked = useSecondSave(
    own.filter(isSaved).map(({ file }) => ({ key: fileKey(file), option: file.option })),
  );
  if (!own.some(({ phase }) => phase === 'started' || phase === 'preparing')) return null;
  return (
    <div className="result-after">
      {asked.option === null ? (
        <>
          {asked.isAnswered && <ResultParts place="second-save" {...parts} />}
          {help !== null && <Link to={help}>{t('option.not-there')}</Link>}
          <Quicker />
        </>
      ) : (
        <>
          <p>{t('start.question', { name: optionName(asked.option, t) })}</p>
          <Button strength="plain" onClick={() => asked.answer(true)}>
            {t('start.yes')}
          </Button>
          <Button strength="quiet" onClick={() => asked.answer(false)}>
            {t('start.no')}
          </Button>
        </>
      )}
    </div>
  );
}

/** The file to ask about, until there is an answer. */
function useSecondSave(saved: readonly { readonly key: string; readonly option: Option }[]) {
  const [option, setOption] = useState<Option | null>(null);
  const [isAnswered, setAnswered] = useState(false);
  const counted = useRef(new Set<string>());
  const keys = saved.map(({ key }) => key).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another file is saved
  useEffect(() => {
    for (const { key, option: one } of saved) {
      if (counted.current.has(key) || !isFormat(one.id)) continue;
      counted.current.add(key);
      const stored = storedStart();
      if (stored === null) storeStart('1');
      else if (stored === '1') {
        // Asked once, whatever the answer.
        storeStart('no');
        if (presentStart() === null) setOption(one);
      }
    }
  }, [keys]);
  return {
    option,
    isAnswered,
    answer(isYes: boolean) {
      if (isYes && option !== null) startWith(option.id as 'mp4', true);
      setOption(null);
      setAnswered(true);
    },
  };
}
