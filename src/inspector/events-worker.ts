// One of these runs for all pages of a server in a browser that have the same token, as long as there is one of them:
// they share a stream, since a browser has but six connections to a host. Its name is what it is told, as JSON.
import { followServer, type News } from './events.ts';

let state: News | undefined;
let isFollowing = false;
const pages = new Set<MessagePort>();

const tell = (news: News): void => {
  if (news.type !== 'events') state = news;
  for (const page of pages) page.postMessage(news);
};

const follow = async (): Promise<void> => {
  isFollowing = true;
  await followServer(new URL('.', location.href).href, JSON.parse(self.name).token, tell);
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
