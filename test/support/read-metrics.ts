/** The samples of a server's metrics, each with its name and labels as they are written. */
export const readMetrics = async (adminUrl: string): Promise<Map<string, number>> => {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
};
