{{- /* What the schema cannot say well: every problem at once, each with its value and its fix. */ -}}
{{- define "timmerman.checks" -}}
{{- $problems := list -}}
{{- $printed := "`timmerman values CLUSTER` prints it" -}}
{{- $v := .Values -}}
{{- if not $v.settings.clusterName -}}
{{- $problems = append $problems (printf "settings.clusterName is missing: give the cluster's name as in stacks/clusters.ts; %s" $printed) -}}
{{- end -}}
{{- if and $v.settings.clusterName (not (regexMatch "^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$" $v.settings.clusterName)) -}}
{{- $problems = append $problems (printf "settings.clusterName is %q, which is no EKS cluster's name: letters, digits, hyphens and underscores" $v.settings.clusterName) -}}
{{- end -}}
{{- if not $v.aws.region -}}
{{- $problems = append $problems (printf "aws.region is missing: give the region of the table and the queues; %s" $printed) -}}
{{- else if not (regexMatch "^[a-z]{2,}(-[a-z]+)+-[0-9]+$" $v.aws.region) -}}
{{- $problems = append $problems (printf "aws.region is %q, which is no region: give one such as eu-west-1" $v.aws.region) -}}
{{- end -}}
{{- if not $v.timmerman.table -}}
{{- $problems = append $problems (printf "timmerman.table is missing: give the name of the deployment's table; %s" $printed) -}}
{{- end -}}
{{- if and $v.timmerman.table (not (regexMatch "^([a-zA-Z0-9_.-]{3,255}|arn:[^:]+:dynamodb:[^[:space:]]+)$" $v.timmerman.table)) -}}
{{- $problems = append $problems (printf "timmerman.table is %q, which is no table's name or ARN; %s" $v.timmerman.table $printed) -}}
{{- end -}}
{{- range $queue := list "provision" "disrupt" "lifecycle" "resolveNodeClasses" -}}
{{- $url := get $v.timmerman.queues $queue -}}
{{- if not $url -}}
{{- $problems = append $problems (printf "timmerman.queues.%s is missing: give the queue's URL; %s" $queue $printed) -}}
{{- else if not (regexMatch "^https?://[^/[:space:]]+/[^[:space:]]+$" $url) -}}
{{- $problems = append $problems (printf "timmerman.queues.%s is %q: give the queue's URL (https://…), not its name or ARN; %s" $queue $url $printed) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "batchIdleDuration" "batchMaxDuration" -}}
{{- $duration := get $v.settings $name | toString -}}
{{- if not (regexMatch "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$" $duration) -}}
{{- $problems = append $problems (printf "settings.%s is %q: give a duration with its unit, such as 1s or 500ms" $name $duration) -}}
{{- end -}}
{{- end -}}
{{- with $v.controller.image -}}
{{- if not .repository -}}
{{- $problems = append $problems "controller.image.repository is missing: build relay/Dockerfile, push the image to a registry that the cluster reaches, and give its address without the tag" -}}
{{- else if regexMatch "(:[^/]*|@sha256:.*)$" .repository -}}
{{- $problems = append $problems (printf "controller.image.repository is %q: give the tag in controller.image.tag and the digest in controller.image.digest" .repository) -}}
{{- end -}}
{{- if and .digest (not (regexMatch "^sha256:[0-9a-f]{64}$" .digest)) -}}
{{- $problems = append $problems (printf "controller.image.digest is %q: give sha256: and 64 hexadecimal digits" .digest) -}}
{{- end -}}
{{- end -}}
{{- if and (gt (int $v.replicas) 1) (not $v.leaderElection.enabled) -}}
{{- $problems = append $problems (printf "leaderElection.enabled is false with %d replicas, which would each send every wake: enable it, or set replicas to 1" (int $v.replicas)) -}}
{{- end -}}
{{- range $alert, $given := $v.prometheusRule.alerts -}}
{{- range $name := list "for" "window" "baseline" -}}
{{- if and (hasKey $given $name) (not (regexMatch "^([0-9]+(ms|s|m|h|d|w|y))+$" (get $given $name | toString))) -}}
{{- $problems = append $problems (printf "prometheusRule.alerts.%s.%s is %q: give a duration as Prometheus writes it, such as 5m" $alert $name (get $given $name | toString)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "these values need a change:\n- %s" (join "\n- " $problems)) -}}
{{- end -}}
{{- end -}}
