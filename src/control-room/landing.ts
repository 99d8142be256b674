import { useEffect } from 'react';
import { live } from './connection.ts';
import { journal } from './journal.ts';
import { go, toHash } from './route.ts';
import { isForeign } from './sender.ts';

/** Chooses the panel of a link without one: how to connect, until the first call of somebody else has come. */
export const useLanding = (isPanelChosen: boolean): void => {
  const isLoaded = live.use(({ connection, revision }) => connection === 'open' && revision > 0);
  const isLocked = live.use(({ connection }) => connection === 'locked');
  useEffect(() => {
    if (isPanelChosen || !(isLoaded || isLocked)) return;
    const isConnected = journal.get().requests.some(isForeign);
    go(toHash(isConnected ? 'requests' : 'connect'), { replace: true });
  }, [isPanelChosen, isLoaded, isLocked]);
};
