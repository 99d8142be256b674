/** More than any page of a gateway holds. */
const maxReply = 50_000_000;

/** The body of a response as text. @throws Error if it breaks off, or is larger than 50 MB */
export const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of readChunks(response)) {
    size += chunk.byteLength;
    if (size > maxReply) throw new Error(`the reply is larger than ${maxReply} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

async function* readChunks({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return;
      yield part.value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}
