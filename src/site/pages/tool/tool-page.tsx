import { useActionData } from 'react-router';
import { ownPlace } from '../../addressing/page-addresses.ts';
import type { SharePicture } from '../../addressing/share-picture.ts';
import { UsefulPosts } from '../../articles/lists/useful-posts.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { keepMessages } from '../../later-messages.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import { TranslationProvider, useTranslate } from '../../translation.tsx';
import { Faq, Features, Steps } from './introduction/sections.tsx';
import { Showcase } from './introduction/showcase.tsx';
import type { handleForm, LoadedToolPage } from './loader.ts';
import type { ToolPageData } from './page-data.ts';
import { PageQr } from './qr/page-qr.tsx';
import { Tool } from './tool.tsx';

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
