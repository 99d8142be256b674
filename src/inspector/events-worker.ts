// One worker for all pages of a server with the same token in a browser: they share an event stream, since a browser has
// only six connections to a host. The worker's name holds its input as JSON.
import { followServer, type News } from './events.ts';

let state: News | undefined;
let isFollowing = false;
const pages = new Set<MessagePort>();

const send = (news: News): void => {
  if (news.type !== 'events') state = news;
  for (const page of pages) page.postMessage(news);
};

const follow = async (): Promise<void> => {
  isFollowing = true;
  await followServer(new URL('.', location.href).href, JSON.parse(self.name).token, send);
  isFollowing = false;
};

addEventListener('connect', (event) => {
  const page = event instanceof MessageEvent ? event.ports[0] : undefined;
  if (page === undefined) return;
  pages.add(page);
  page.addEventListener('close', () => pages.delete(page));
  if (!isFollowing) void follow();
  else if (state !== undefined) page.postMessage(state);
});
