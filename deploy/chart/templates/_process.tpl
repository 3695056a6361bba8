{{- define "concours.labels" -}}
app.kubernetes.io/name: concours
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The pod of a process: (list root "api" (list "start" "--role=api")). */}}
{{- define "concours.pod" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $shared := $root.Files.Get "settings.yaml" | fromYaml -}}
{{- $more := get (get $root.Values $role | default dict) "secrets" | default list -}}
{{- $secrets := list -}}
{{- range concat (index $shared.secrets $role) $more | uniq -}}
{{- if not (hasKey $root.Values.settings (printf "%s_FILE" .)) }}{{ $secrets = append $secrets . }}{{ end -}}
{{- end -}}
automountServiceAccountToken: false
enableServiceLinks: false
# In-flight requests get 25 s, after 2 s for the load balancers.
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
containers:
  - name: {{ $role }}
    image: {{ printf "%s:%s" $root.Values.image $root.Chart.AppVersion }}
    args: {{ index . 2 | toJson }}
    securityContext:
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      capabilities: { drop: [ALL] }
    {{- if ne $role "migrate" }}
    ports:
      - { name: http, containerPort: 4020 }
    # A slow start is not a dead process. A process that cannot reach the database stays, and gets no requests.
    startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 90 }
    livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
    readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 2 }
    resources: {{ index $root.Values $role "resources" | toJson }}
    {{- end }}
    env:
      {{- range $secrets }}
      - { name: {{ . }}_FILE, value: /run/secrets/{{ . }} }
      {{- end }}
      {{- if ne $role "migrate" }}
      {{- range $name, $value := $root.Values.settings }}
      - { name: {{ $name }}, value: {{ $value | toString | quote }} }
      {{- end }}
      {{- end }}
    volumeMounts:
      - { name: secrets, mountPath: /run/secrets, readOnly: true }
      - { name: tmp, mountPath: /tmp }
volumes:
  - name: secrets
    secret:
      secretName: {{ $root.Values.secret }}
      defaultMode: 0440
      items:
        {{- range $secrets }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
  - { name: tmp, emptyDir: {} }
{{- end }}
