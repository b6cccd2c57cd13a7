import './archive-page.css';

export function ArchivePage() {
  return (
    <main className="news-archive">
      <h1>Older news</h1>
    </main>
  );
}
