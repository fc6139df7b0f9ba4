import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useActionData } from 'react-router';
import { ownPlace } from '../../addressing/page-addresses.ts';
import type { SharePicture } from '../../addressing/share-picture.ts';
import { UsefulPosts } from '../../articles/lists/useful-posts.tsx';
import { showToolKind } from '../../browser/downloads/tool-state.ts';
import { useMounted } from '../../browser/mounted.ts';
import { useDocument } from '../../document/document-context.tsx';
import { keepMessages } from '../../later-messages.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import { TranslationProvider, useTranslate } from '../../translation.tsx';
import { LiveRegion } from '../../ui/controls.tsx';
import { Hero } from './hero.tsx';
import { Faq, Features, Showcase, Steps } from './introduction/sections.tsx';
import { type LinkField, useLinkField } from './link-box/link-box.tsx';
import type { FileHelp, handleForm, LoadedToolPage } from './loader.ts';
import { OutcomeArea } from './outcome-area.tsx';
import type { ToolPageData } from './page-data.ts';
import { PageQr } from './qr/page-qr.tsx';
import outcomeStyles from './result/outcome.css?url';
import type { ToolResponse } from './state/tool-response.ts';
import type { ToolState } from './state/tool-state.ts';
import { useActions } from './state/use-actions.ts';
import { useManyPosts } from './state/use-many-posts.ts';
import { usePageLinks } from './state/use-page-links.ts';
import { useTool } from './state/use-tool.ts';

/** A downloader page: the tool, and the texts around it. */
export function ToolPage({ given, useful, help, page }: LoadedToolPage) {
  const answered = useActionData<typeof handleForm>();
  const site = useDocument();
  const shown = answered ?? given;
  if (shown?.messages !== undefined) keepMessages(page.locale, shown.messages);
  return (
    <TranslationProvider locale={page.locale} messages={page.messages}>
      <ToolHead head={page.head} name={page.title} image={page.sharePicture} />
      <Tool key={page.asking.page} page={page} help={help} given={shown} />
      {page.showcase !== null && <Showcase of={page.showcase} />}
      <Features section={page.features} />
      <Steps section={page.steps} />
      <LayoutParts place="below-steps" page={site} />
      <Faq section={page.faq} />
      <UsefulPosts {...useful} />
      <PageQr code={page.qr} />
    </TranslationProvider>
  );
}

interface ToolHeadProps {
  head: ToolPageData['head'];
  name: string;
  image: SharePicture;
}

function ToolHead({ head, name, image }: ToolHeadProps) {
  const site = useDocument();
  const t = useTranslate();
  const href = ownPlace(site.addresses) ?? site.homePath;
  const trail = [{ name: t('menu.home'), href: site.homePath }];
  if (href !== site.homePath) trail.push({ name, href });
  return (
    <PageHead
      {...head}
      image={image}
      structuredData={(vocabulary) => [
        vocabulary.organization(site),
        vocabulary.webSite(site),
        vocabulary.webApplication(site, { name: head.title, description: head.description, href }),
        vocabulary.breadcrumbs(site, trail),
      ]}
    />
  );
}

/**
 * Announces a link's outcome, moves the focus to it and scrolls it into view.
 * @returns refs for the elements that show it
 */
function useArrival(state: ToolState, field: LinkField, announce: (message: string) => void) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const boxText = useRef(state.text);

  const arrive = useEffectEvent(() => {
    // A result that came with the page or from the history is neither announced nor focused: nobody waits for it here.
    if (state.given) {
      // Keeps what was typed before hydration, or before a change of language.
      if (boxText.current !== state.text) field.fill(state.text);
    } else if (state.kind === 'ready') {
      const { post } = state.result;
      announce(t('status.ready', { title: post.title || post.author.name }));
      heading.current?.focus({ preventScroll: true });
    } else if (state.kind === 'failed') {
      announce([state.failure.hint, state.failure.message].filter(Boolean).join(' '));
    }
    boxText.current = state.text;
    if (!state.given && state.kind !== 'idle') showWithBox(box.current, outcome.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each state
  useEffect(() => arrive(), [state]);

  return { heading, box, outcome };
}

/** Scrolls a link's outcome into view, together with its box. */
function showWithBox(box: HTMLElement | null, outcome: HTMLElement | null): void {
  const card = outcome?.querySelector('.result');
  const isCut = card != null && card.getBoundingClientRect().bottom > document.documentElement.clientHeight;
  box?.scrollIntoView({ block: isCut ? 'start' : 'nearest' });
}

interface ToolProps {
  page: ToolPageData;
  help: FileHelp;
  given: ToolResponse | null;
}

/** The downloader: a link goes in, files come out. */
function Tool({ page, help, given }: ToolProps) {
  const t = useTranslate();
  const isMounted = useMounted();
  const tool = useTool(given, page.namesPlatform ? null : t('link.missing'), page.asking);
  const { state } = tool;
  const [announcement, announce] = useState('');
  const field = useLinkField();
  const { heading, box, outcome } = useArrival(state, field, announce);
  const { actions, pasteHint } = useActions(tool, field, announce);
  const openManyPosts = useManyPosts();
  const onFiles = (files: readonly File[]) => void openManyPosts(files);
  const dropping = usePageLinks({
    onFiles,
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
      <Hero
        {...{ page, state, actions, field, box, pasteHint, dropping, onFiles }}
        givenText={given?.text ?? ''}
      />
      <OutcomeArea {...{ page, help, state, actions, field, heading }} area={outcome} onAnnounce={announce} />
      <LiveRegion>{announcement}</LiveRegion>
    </>
  );
}
