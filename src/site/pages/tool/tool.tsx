import { useEffect, useState } from 'react';
import { showToolKind } from '../../browser/downloads/tool-state.ts';
import { useMounted } from '../../browser/mounted.ts';
import { useDocument } from '../../document/document-context.tsx';
import { useTranslate } from '../../translation.tsx';
import { LiveRegion } from '../../ui/controls.tsx';
import type { FileHelp } from './files/file-help.ts';
import { Hero } from './hero.tsx';
import { useLinkField } from './link-box/use-link-field.ts';
import { OutcomeArea } from './outcome-area.tsx';
import type { ToolPageData } from './page-data.ts';
import outcomeStyles from './result/outcome.css?url';
import { leaveForManyPosts } from './state/look-up.ts';
import type { ToolResponse } from './state/tool-response.ts';
import { useActions } from './state/use-actions.ts';
import { useArrival } from './state/use-arrival.ts';
import { usePageLinks } from './state/use-page-links.ts';
import { useTool } from './state/use-tool.ts';

interface ToolProps {
  page: ToolPageData;
  help: FileHelp;
  given: ToolResponse | null;
}

/** The downloader: a link goes in, files come out. */
export function Tool({ page, help, given }: ToolProps) {
  const t = useTranslate();
  const { manyPostsPath } = useDocument();
  const isMounted = useMounted();
  const tool = useTool(given, page.namesPlatform ? null : t('link.missing'), page.asking);
  const { state } = tool;
  const [announcement, announce] = useState('');
  const field = useLinkField();
  const { heading, box, outcome } = useArrival(state, field, announce);
  const { actions, pasteHint } = useActions(tool, field, announce);
  const dropping = usePageLinks({
    onFiles: (files) => void leaveForManyPosts(files, manyPostsPath),
    onLink: actions.enter,
    onText: actions.suggest,
  });

  useEffect(() => {
    showToolKind(state.kind);
    return () => showToolKind('idle');
  }, [state.kind]);

  return (
    <>
      {(isMounted || state.kind !== 'idle') && (
        <link rel="stylesheet" href={outcomeStyles} precedence="default" />
      )}
      <Hero {...{ page, state, actions, field, box, pasteHint, dropping }} givenText={given?.text ?? ''} />
      <OutcomeArea {...{ page, help, state, actions, field, heading }} area={outcome} onAnnounce={announce} />
      <LiveRegion>{announcement}</LiveRegion>
    </>
  );
}
