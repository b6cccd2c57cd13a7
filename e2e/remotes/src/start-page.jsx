import { Link } from '@app/platform';
import { useState } from 'react';
import './start-page.css';

export function StartPage() {
  const [count, setCount] = useState(0);
  return (
    <main className="news-start">
      <h1>News of another builder</h1>
      <button type="button" onClick={() => setCount(count + 1)}>{`Read ${count}`}</button>
      <Link to="/news/archive">Archive</Link>
    </main>
  );
}
