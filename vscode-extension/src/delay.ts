/** Work that waits until nothing asks for it any more. */
export class Delay {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly milliseconds: number,
    private readonly work: () => Promise<void>,
  ) {}

  /** Does the work after the delay, counted from now. */
  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.work(), this.milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
