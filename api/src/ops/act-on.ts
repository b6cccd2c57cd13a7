/** Opens what a command works with, and closes it, whatever becomes of the command. */
export async function actOn<Context extends { close: () => Promise<void> }, Result>(
  open: () => Promise<Context>,
  act: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = await open();
  try {
    return await act(context);
  } finally {
    await context.close();
  }
}
