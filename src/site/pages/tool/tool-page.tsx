import { useActionData, type useLoaderData } from 'react-router';
import { UsefulPosts } from '../../articles/useful-posts.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/page-head.tsx';
import { breadcrumbs, organization, webApplication, webSite } from '../../layout/structured-data.ts';
import { type Packed, unpack } from '../../rendering/packed.ts';
import { TextsProvider, useTranslate } from '../../texts.tsx';
import type { answerForm, loadToolPage } from './loader.ts';
import type { ToolPageData } from './page-data.ts';
import { PageQr } from './page-qr.tsx';
import { Faq, Features, Steps } from './sections.tsx';
import { Tool } from './tool.tsx';

type ToolPageProps = ReturnType<typeof useLoaderData<typeof loadToolPage>>;

/** The downloader, and everything that its page says. */
export function ToolPage({ given, useful, help, ...loaded }: ToolPageProps) {
  const page = unpack(loaded.page as Packed<ToolPageData>);
  const answered = useActionData<typeof answerForm>();
  return (
    <TextsProvider locale={page.locale} messages={page.messages}>
      <ToolHead head={page.head} name={page.title} />
      <Tool
        key={page.path}
        action={page.path}
        formAction={page.formAction}
        title={page.title}
        description={page.description}
        exampleUrl={page.exampleUrl}
        asking={page.asking}
        buttons={page.buttons}
        others={page.others}
        help={help}
        given={answered ?? given}
        namesPlatform={page.namesPlatform}
      />
      <Features section={page.features} />
      <Steps section={page.steps} />
      <Faq section={page.faq} />
      <UsefulPosts {...useful} />
      <PageQr code={page.qr} />
    </TextsProvider>
  );
}

function ToolHead({ head, name }: { head: ToolPageData['head']; name: string }) {
  const site = useDocument();
  const t = useTranslate();
  // The page's own address, also while it shows what a link leads to.
  const own = site.addresses.languages.find(({ locale }) => locale === site.locale);
  const href = own?.canonical ?? site.homePath;
  const trail = [{ name: t('menu.home'), href: site.homePath }];
  if (href !== site.homePath) trail.push({ name, href });
  const structuredData = [
    organization(site),
    webSite(site),
    webApplication(site, { name: head.title, description: head.description, href }),
    breadcrumbs(site, trail),
  ];
  return <PageHead {...head} structuredData={structuredData} />;
}
