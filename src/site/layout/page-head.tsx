interface PageHeadProps {
  title: string;
  description: string;
  keywords?: string;
}

/** A page's own part of the document's head; React puts it there. */
export function PageHead({ title, description, keywords }: PageHeadProps) {
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {keywords !== undefined && <meta name="keywords" content={keywords} />}
    </>
  );
}
