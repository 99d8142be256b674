/** A checkpoint of a fine-tuning job. */
export interface Checkpoint {
  /** Its id, such as `ftckpt_abc123`. */
  id: string;
  /** When it was created, in seconds since 1970. */
  created_at: number;
  /** The name of the model of this checkpoint. */
  fine_tuned_model_checkpoint: string;
  /** The training step at which it was made. */
  step_number: number;
  /** The measurements at this step; any of them may be absent. */
  metrics: {
    step?: number;
    train_loss?: number;
    train_mean_token_accuracy?: number;
    valid_loss?: number;
    valid_mean_token_accuracy?: number;
    full_valid_loss?: number;
    full_valid_mean_token_accuracy?: number;
  };
  /** The fine-tuning job to which it belongs. */
  fine_tuning_job_id: string;
  /** Always `fine_tuning.job.checkpoint`. */
  object: 'fine_tuning.job.checkpoint';
}
